import 'server-only';
import { decideLead } from '../domain/lead';
import { refuse } from '../errors';
import type { Caller } from '../http/caller';
import { checkCaller, refuseRequest } from '../http/check-caller';
import type { EndpointResult } from '../http/respond';
import { createId } from '../ids';
import type { LeadBody } from '../schemas';
import { run } from '../statement';
import { leadFacts } from './lead-facts';
import { browserLead, type LeadStatementRow, serverLead, testLead } from './lead-statement';

const ATTEMPTS = 3;

/** §3 and §4: a lead call, of a server with the program API key or of a browser without one. */
export async function recordLead(body: LeadBody, caller: Caller): Promise<EndpointResult> {
  const { credentials, address, now } = caller;
  const { mode } = credentials;
  const test = body.additional_data?.test_mode === true;
  const named = body.program_id ?? body.additional_data?.program_id ?? null;
  if (test && mode === 'browser') return refuse('missing_api_key', 'A test lead needs the program API key.');
  if (!named && (test || mode === 'browser')) {
    const refusal = refuse('invalid_body', 'program_id: Required.');
    return mode === 'browser' ? refusal : refuseRequest(refusal, caller);
  }

  const statements = { browser: browserLead, server: test ? testLead : serverLead };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const [row] = await run<[LeadStatementRow]>(
      mode,
      statements[mode]({
        subject: credentials.mode === 'server' ? credentials.keyHash : named,
        address,
        named_program_id: named,
        click_id: body.click_id,
        customer_key: body.customer_key,
        email: body.email,
        lead_id: createId('led'),
        event_id: createId('evt'),
        now: now.toISOString(),
      }),
    );
    const checked = checkCaller(caller, row);
    if (!checked.ok) return checked;
    if (named && named !== checked.programId) return refuse('program_mismatch');
    const decision = decideLead(leadFacts(row, { caller: mode, test }));
    switch (decision.outcome) {
      case 'reject':
        return refuse(decision.code);
      case 'unchanged':
        return settledResult(row.lead_id ?? '', 'This lead is settled already. Nothing changed.');
      case 'provisional':
        return PROVISIONAL;
      case 'settle':
        if (row.settled_id) return settledResult(row.settled_id, test ? 'Test lead settled.' : 'Lead settled.');
        break; // another call settled this customer's lead meanwhile: decide again
      default:
        return decision satisfies never;
    }
  }
  throw new Error('A lead kept changing while it was decided.');
}

const settledResult = (leadId: string, message: string): EndpointResult => ({
  ok: true,
  body: { success: true, lead_id: leadId, message },
});

const PROVISIONAL: EndpointResult = {
  ok: true,
  body: {
    success: true,
    provisional: true,
    message: 'Lead stored as provisional. Your server settles it with the API key.',
  },
};
