type FaultType = 'invalid_request_error' | 'idempotency_error' | 'card_error' | 'api_error';

export type FaultBody = {
  type: FaultType;
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
};

/** An answer in Stripe's error shape. The SDK picks its error class from status and type. */
export class StripeFault extends Error {
  override readonly name = 'StripeFault';
  constructor(
    readonly status: number,
    readonly body: FaultBody,
  ) {
    super(body.message);
  }
}

/** 400: the request makes no sense, whoever sends it. */
export function invalidRequest(message: string, detail: { param?: string; code?: string } = {}): StripeFault {
  return new StripeFault(400, { type: 'invalid_request_error', message, ...detail });
}

/** 404 for the object in the path, 400 for one that a parameter names; both as `resource_missing`. */
export function resourceMissing(type: string, id: string, param?: string): StripeFault {
  return new StripeFault(param ? 400 : 404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${type.replace('checkout.session', 'checkout session')}: '${id}'`,
    param: param ?? 'id',
  });
}
