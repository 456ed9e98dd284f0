// Errors in Stripe's shape. The SDK picks its error class from status and type.

type ErrorType = 'invalid_request_error' | 'idempotency_error' | 'card_error';

type ErrorBody = {
  type: ErrorType;
  message: string;
  code?: string;
  decline_code?: string;
  doc_url?: string;
  param?: string;
  charge?: string;
  payment_intent?: unknown;
  payment_method?: unknown;
};

export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(
    readonly status: number,
    readonly body: ErrorBody,
  ) {
    super(body.message);
  }
}

/** 400: the request is invalid. */
export function invalidRequest(message: string, detail: { param?: string; code?: string } = {}): ApiError {
  return new ApiError(400, { type: 'invalid_request_error', message, ...detail });
}

export const missingParam = (param: string): ApiError =>
  invalidRequest(`Missing required param: ${param}.`, { param, code: 'parameter_missing' });

export const emptyParam = (param: string): ApiError =>
  invalidRequest(
    `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however '${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`,
    { param, code: 'parameter_invalid_empty' },
  );

/** 400: Stripe can do this, the emulator cannot. `feature` is what the sentence ends with. */
export const notCovered = (feature: string, param?: string): ApiError =>
  invalidRequest(`The Stripe emulator does not cover ${feature}.`, { ...(param && { param }) });

/** 400: an object of this type already has the seller's ID. */
export const alreadyExists = (name: 'Coupon' | 'Product'): ApiError =>
  invalidRequest(`${name} already exists.`, { code: 'resource_already_exists' });

/** 404 for the object in the path, 400 for one that a parameter names; both as `resource_missing`. */
export function resourceMissing(type: string, id: string, param?: string): ApiError {
  const name = type.replace(/^(checkout|billing_portal|test_helpers)\./, '$1 ').replace(/^test_helpers /, '');
  return new ApiError(param ? 400 : 404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${name}: '${id}'`,
    param: param ?? 'id',
  });
}
