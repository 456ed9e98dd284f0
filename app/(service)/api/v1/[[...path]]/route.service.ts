import { refuseRoute } from '@/lib/service/http/respond';

// Every other path under /api/v1.
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = refuseRoute();
