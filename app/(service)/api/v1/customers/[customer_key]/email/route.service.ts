import { eraseEmail } from '@/lib/service/erase-email';
import { query } from '@/lib/service/http/endpoint';
import { refuseMethods } from '@/lib/service/http/respond';
import { customerPath } from '@/lib/service/schemas';

// Our extension (docs/decisions/0010): removes a customer's email.
export const DELETE = query(customerPath, eraseEmail);
export const { GET, POST, PUT, PATCH, OPTIONS } = refuseMethods('DELETE');
