import { expect, test } from 'vitest';
import { database } from '@/prisma/client';
import { aProgram } from '@/tests/support/program';
import { unique } from '@/tests/support/unique';
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
