import { describeApi } from '@/lib/service/describe-api';
import { refuseMethods } from '@/lib/service/http/respond';

export const GET = () => Response.json(describeApi());
export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseMethods('GET');
