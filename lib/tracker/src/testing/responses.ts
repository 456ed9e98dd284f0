import type { Service } from './open-page.ts';

/** A service that makes a click for every partner: `clk_1`, `clk_2`, … */
export function clickService({ days = 60 } = {}): Service {
  let made = 0;
  return ({ body }) => {
    made += 1;
    const partner = new URL(String(body.affiliate_url)).searchParams.get('aff');
    return Response.json({
      success: true,
      click_id: `clk_${made}`,
      partner_code: partner,
      cookie_window_days: days,
    });
  };
}

export const refusal = (status: number) => Response.json({ error: 'No.', code: 'no' }, { status });

/** A response that arrives when the test says so. */
export function heldResponse() {
  let respond: (response: Response) => void = () => {};
  const held = new Promise<Response>((resolve) => {
    respond = resolve;
  });
  return { held, respond };
}
