const REASONS: Readonly<Record<string, string>> = {
  no_program:
    'The payment has no program_id. Send the three metadata keys with the checkout session and its subscription.',
  unknown_program: 'No program has the payment’s program_id.',
  no_payment_account: 'This program has no connected payment account: connect it in the settings.',
  mode_mismatch: 'The payment’s mode, live or test, is not the mode that the payment account is connected in.',
  no_attribution: 'The payment has no svc_click_id and no svc_customer_key.',
  unknown_click: 'The payment’s svc_click_id is no click of this program, or its attribution window has passed.',
  unknown_customer:
    'The service does not know the payment’s svc_customer_key: the customer did not come through a partner’s link, or was never reported as a lead.',
  refund_failed: 'The refund failed or was canceled: its amount counts again.',
  dispute_open: 'The customer disputes this payment. The sale is lowered if the dispute is lost.',
  dispute_lost: 'The dispute was lost.',
  dispute_won: 'The dispute was won: the sale is unchanged.',
};

/** "Why not attributed?": what a reason code means, and what to do about it. */
export const explainReason = (code: string): string => REASONS[code] ?? `Reason: ${code}.`;
