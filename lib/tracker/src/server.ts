export { createFirstPartyHandler, type FirstPartyOptions } from './first-party.ts';
export { readRetryAfter, type TrackResult } from './request.ts';
export { type CallOptions, createServerClient, type ServerClient, type ServerClientOptions } from './server-client.ts';
export { TrackingError, type TrackingErrorKind } from './tracking-error.ts';
export {
  type AdditionalData,
  isServiceUrl,
  type Lead,
  type LeadFields,
  type Sale,
  type SaleFields,
  type ServiceError,
} from './wire.ts';
