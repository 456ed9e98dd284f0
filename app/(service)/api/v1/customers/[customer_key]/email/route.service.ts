import { eraseEmail } from '@/lib/service/customers/erase-email';
import { refuseMethods } from '@/lib/service/http/answer';
import { query } from '@/lib/service/http/query';
import { customerPath } from '@/lib/service/schemas';

// An extension of ours (docs/decisions/0022): removes a customer's e-mail.
export const DELETE = query(customerPath, eraseEmail);
export const { GET, POST, PUT, PATCH, OPTIONS } = refuseMethods('DELETE');
