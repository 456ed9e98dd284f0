import { refuseMethods } from '@/lib/service/http/answer';
import { describeApi } from '@/lib/service/openapi/describe-api';

export const GET = () => Response.json(describeApi());
export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseMethods('GET');
