import { expect, test } from 'vitest';
import { database } from '@/prisma/client';
import { aProgram, changeProgram } from '@/tests/support/program';
import { unique } from '@/tests/support/unique';
import { updatePartner } from '../partners';
import { clickBody } from '../schemas';
import { recordClick } from './record-click';

test('a click keeps its link, its pages and the click that it takes over from', async () => {
  const { programId } = await aProgram();
  const now = new Date();
  const sent = {
    program_id: programId,
    affiliate_url: 'https://shop.example/?aff=ada',
    page_url: 'https://shop.example/pricing',
    referrer_url: 'https://blog.example/review',
    existing_click_id: unique('clk'),
  };
  const response = await recordClick(sent, { credentials: { mode: 'browser' }, address: unique('a'), now });
  expect(response).toMatchObject({ ok: true, body: { success: true, partner_code: 'ada' } });
  expect(await database().click.findMany({ where: { programId }, include: { partner: true } })).toMatchObject([
    {
      affiliateUrl: sent.affiliate_url,
      pageUrl: sent.page_url,
      referrerUrl: sent.referrer_url,
      existingClickId: sent.existing_click_id,
      createdAt: now,
      partner: { code: 'ada' },
    },
  ]);
});

test.each([
  ['makes a click', { active: true, paused: false }, true],
  ['makes none where the link is inactive', { active: false, paused: false }, false],
  ['makes none while the program is paused', { active: true, paused: true }, false],
  ['makes none where both are true', { active: false, paused: true }, false],
])('a visit to the link of a partner %s', async (_, { active, paused }, isClick) => {
  const program = await aProgram();
  const { programId } = program;
  await updatePartner(programId, 'ada', { active });
  await changeProgram(program, { paused });
  const visit = clickBody.parse({ affiliate_url: 'https://shop.example/?aff=ada', program_id: programId });
  const response = await recordClick(visit, {
    credentials: { mode: 'browser' },
    address: unique('a'),
    now: new Date(),
  });
  expect(response).toMatchObject({ ok: true, body: { success: isClick } });
  expect(await database().click.count({ where: { programId } })).toBe(isClick ? 1 : 0);
});
