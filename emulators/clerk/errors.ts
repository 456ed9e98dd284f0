/** A response in Clerk's error shape. Its components know the codes and show the message at the field `param_name`. */
export class ClerkError extends Error {
  override readonly name = 'ClerkError';
  constructor(
    readonly status: 400 | 401 | 403 | 404 | 413 | 422,
    readonly code: string,
    message: string,
    readonly meta: Record<string, unknown> = {},
  ) {
    super(message);
  }
}

const invalid = (code: string, message: string, param: string) =>
  new ClerkError(422, code, message, { param_name: param });

/** Codes and messages are Clerk's, unless the emulator has to name itself. */
export const clerkErrors = {
  identifierExists: (param = 'email_address') =>
    invalid('form_identifier_exists', 'That email address is taken. Please try another.', param),
  externalIdExists: () =>
    invalid('form_identifier_exists', 'That external ID is taken. Please try another.', 'external_id'),
  identifierNotFound: () => invalid('form_identifier_not_found', "Couldn't find your account.", 'identifier'),
  passwordIncorrect: (param = 'password') =>
    invalid('form_password_incorrect', 'Password is incorrect. Try again, or use another method.', param),
  passwordTooShort: (param: string) =>
    invalid('form_password_length_too_short', 'Passwords must be 8 characters or more.', param),
  passwordTooLong: (param: string) =>
    invalid('form_password_length_too_long', 'Passwords must be 72 characters or fewer.', param),
  emailInvalid: (param: string) =>
    invalid('form_param_format_invalid', 'Email address must be a valid email address.', param),
  formatInvalid: (param: string) => invalid('form_param_format_invalid', `${param} is invalid.`, param),
  tooLarge: (param: string, bytes: number) =>
    invalid(
      'form_param_exceeds_allowed_size',
      `The given ${param} exceeds the maximum allowed size of ${bytes} bytes (${bytes / 1024} KB).`,
      param,
    ),
  dataMissing: (param: string) =>
    new ClerkError(
      422,
      'form_data_missing',
      `["${param}"] data doesn't match user requirements set for this instance`,
      { param_names: [param] },
    ),
  missing: (param: string) => invalid('form_param_missing', `${param} must be included.`, param),
  codeIncorrect: () => invalid('form_code_incorrect', 'Incorrect code', 'code'),
  codeNotSent: () => new ClerkError(400, 'verification_missing', 'Prepare the verification before you attempt it.'),
  codeExpired: () =>
    new ClerkError(400, 'verification_expired', 'This verification has expired. You must create a new one.'),
  codeAttemptsExhausted: () =>
    new ClerkError(400, 'verification_failed', 'Too many failed attempts. You have to try again with a new code.'),
  ticketInvalid: () => new ClerkError(400, 'ticket_invalid_code', 'Ticket is invalid.'),
  ticketUsed: () =>
    new ClerkError(
      400,
      'sign_in_token_already_used_code',
      'This sign in token has already been used. Each token can only be used once.',
    ),
  alreadyVerified: () =>
    new ClerkError(400, 'verification_already_verified', 'This verification has already been verified.'),
  lastIdentification: () =>
    new ClerkError(400, 'last_identification_deletion_failed', 'You cannot delete your primary identification.'),
  strategyNotCovered: (strategy: string) =>
    new ClerkError(400, 'strategy_for_user_invalid', `The Clerk emulator does not cover the strategy ${strategy}.`, {
      param_name: 'strategy',
    }),
  userBanned: () => new ClerkError(403, 'user_banned', 'User banned'),
  userLocked: () => new ClerkError(403, 'user_locked', 'Your account is locked.'),
  sessionExists: () => new ClerkError(400, 'session_exists', "You're already signed in."),
  notSignedIn: () => new ClerkError(401, 'authentication_invalid', 'Unable to authenticate the request'),
  secretKeyInvalid: () => new ClerkError(401, 'clerk_key_invalid', 'The provided Clerk Secret Key is invalid.'),
  originInvalid: (origin: string, appUrl: string) =>
    new ClerkError(
      400,
      'origin_invalid',
      `The Clerk emulator serves the app at ${appUrl}, not ${origin}: open it there.`,
    ),
  siteRefused: (why: string) => new ClerkError(400, 'origin_invalid', why),
  urlInvalid: (param: string) =>
    new ClerkError(400, 'invalid_url_scheme', `${param} is not an address of the app.`, { param_name: param }),
  notFound: (what: string) => new ClerkError(404, 'resource_not_found', `${what} was not found.`),
  /** With a code of its own: code that expects `resource_not_found` must not take it for a missing object. */
  routeNotCovered: (route: string) =>
    new ClerkError(404, 'not_covered_by_emulator', `The Clerk emulator does not cover ${route}.`),
  notCovered: (what: string, param: string) =>
    invalid('form_param_unknown', `The Clerk emulator does not cover ${what}.`, param),
  bodyTooLarge: () => new ClerkError(413, 'request_body_too_large', 'The body may hold up to 64 KiB.'),
  bodyInvalid: () => new ClerkError(400, 'request_body_invalid', 'The body does not match its content type.'),
} as const;
