import 'server-only';
import { database } from '@/prisma/client';
import { createId } from '../ids';
import type { OauthFlowRecord } from '../records';

export type NewOauthFlow = { clientId: string; strategy: string; redirectUrl: string; completeUrl: string };

/** Starts a visit to the provider; its ID travels as the state parameter. */
export async function createOauthFlow(fields: NewOauthFlow, now: Date): Promise<OauthFlowRecord> {
  return database().sandboxClerkOauthFlow.create({
    data: { ...fields, id: createId('oau'), status: 'unverified', createdAt: now },
  });
}

/** A visit that has not come back yet, or null. */
export async function findOpenOauthFlow(id: string): Promise<OauthFlowRecord | null> {
  return database().sandboxClerkOauthFlow.findUnique({ where: { id, status: 'unverified' } });
}

type OauthResult = Partial<
  Pick<OauthFlowRecord, 'status' | 'errorCode' | 'providerUserId' | 'emailAddress' | 'firstName' | 'lastName'>
>;

export async function updateOauthFlow(id: string, result: OauthResult): Promise<OauthFlowRecord> {
  return database().sandboxClerkOauthFlow.update({ where: { id }, data: result });
}
