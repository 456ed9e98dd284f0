// What the sandbox keeps, as the rest of the room sees it. `queries/` makes these from database rows, `resources/` turns
// them into Clerk's JSON.

export type Metadata = Record<string, unknown>;

export type EmailRecord = {
  id: string;
  address: string;
  /** How it was verified, or is being verified. */
  strategy: string;
  codeSentAt: Date | null;
  attempts: number;
  verifiedAt: Date | null;
  createdAt: Date;
};

export type ExternalAccountRecord = {
  id: string;
  strategy: string;
  providerUserId: string;
  emailAddress: string;
  createdAt: Date;
};

export type UserRecord = {
  id: string;
  passwordHash: string | null;
  firstName: string | null;
  lastName: string | null;
  primaryEmailId: string | null;
  unsafeMetadata: Metadata;
  publicMetadata: Metadata;
  privateMetadata: Metadata;
  lastSignInAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  emails: EmailRecord[];
  externalAccounts: ExternalAccountRecord[];
};

export type SessionRecord = {
  id: string;
  clientId: string;
  status: string;
  /** When the person last proved who they are. */
  verifiedAt: Date;
  lastActiveAt: Date;
  expireAt: Date;
  createdAt: Date;
  user: UserRecord;
};

export type OauthFlowRecord = {
  id: string;
  clientId: string;
  strategy: string;
  redirectUrl: string;
  completeUrl: string;
  status: string;
  errorCode: string | null;
  providerUserId: string | null;
  emailAddress: string | null;
  firstName: string | null;
  lastName: string | null;
  createdAt: Date;
};

export type SignUpRecord = {
  id: string;
  emailAddress: string | null;
  passwordHash: string | null;
  firstName: string | null;
  lastName: string | null;
  unsafeMetadata: Metadata;
  codeSentAt: Date | null;
  attempts: number;
  verifiedAt: Date | null;
  createdUserId: string | null;
  createdSessionId: string | null;
  createdAt: Date;
  oauthFlow: OauthFlowRecord | null;
};

export type SignInRecord = {
  id: string;
  identifier: string | null;
  codeSentAt: Date | null;
  attempts: number;
  createdSessionId: string | null;
  createdAt: Date;
  user: UserRecord | null;
  oauthFlow: OauthFlowRecord | null;
};

/** One browser, with the session and the attempts it has in progress. */
export type ClientRecord = {
  id: string;
  createdAt: Date;
  updatedAt: Date;
  session: SessionRecord | null;
  signIn: SignInRecord | null;
  signUp: SignUpRecord | null;
};
