// What each page is to a screen reader: its landmarks, headings and controls, and nothing of its data.

const shopFrame = (main: string, links = ['Pricing', 'Account']) => `
- banner:
  - link "Larkdesk"
  - navigation "Larkdesk":
${links.map((name) => `    - link "${name}"`).join('\n')}
- main:${main}
- contentinfo
`;

const accountFrame = (main: string) => shopFrame(main, ['Account', 'Plans']);

const dashboardFrame = (main: string) => `
- banner:
  - link "svc dashboard"
  - button /Search (⌘|Ctrl )K/
  - text: /Program/
  - button "Switch to prg_open"
  - button "Sign out"
  - navigation "Dashboard":
    - link "Overview"
    - link "Events"
    - link "Customers"
    - link "Partners"
    - link "Settings"
- main:${main}
`;

/** The pages with Clerk's forms. */
export const FORM_PAGES: Record<string, string> = {
  '/sign-up': shopFrame(`
  - heading "Create your account" [level=1]
  - textbox "Email address"
  - textbox "Password"
  - button "Continue"
  - link "Sign in"`),
  '/sign-in': shopFrame(`
  - heading "Sign in to Larkdesk" [level=1]
  - textbox "Email address"
  - button "Continue"
  - link "Sign up"`),
};

/** All others that open for everyone on the machine that runs the app. */
export const OPEN_PAGES: Record<string, string> = {
  '/': shopFrame(`
  - heading "The booking calendar for small studios" [level=1]
  - link "Start free"
  - link "View plans"
  - figure:
    - table "Clay Street Pottery, this week"
  - region "What Larkdesk does":
    - heading [level=2]
    - heading [level=2]
    - heading [level=2]
  - heading "One price for the studio, not per seat" [level=2]`),
  '/pricing': shopFrame(`
  - heading "One price for the whole studio" [level=1]
  - heading "Studio monthly" [level=2]
  - button "Choose Studio monthly"
  - button "Pay by bank transfer for Studio monthly"
  - heading "Studio yearly" [level=2]
  - button "Choose Studio yearly"
  - heading "Studio lifetime" [level=2]
  - button "Choose Studio lifetime"
  - heading "Studio monthly in yen" [level=2]
  - button "Choose Studio monthly in yen"`),
  '/no-such-page': shopFrame(`
  - heading "Page not found" [level=1]
  - link "Back to Larkdesk"`),
  '/dashboard/sign-in': `
- banner:
  - link "svc dashboard"
- main:
  - heading "Sign in" [level=1]
  - textbox "API key"
  - button "Sign in"
`,
  '/dashboard': dashboardFrame(`
  - heading "Overview" [level=1]
  - navigation "Date range":
    - link "7 days"
    - link "28 days"
    - link "90 days"
  - group: Custom
  - button "Live (pause updates)"
  - status
  - term: Clicks
  - definition:
    - 'img /Clicks: \\d+ in 28 days/'
  - term: Leads
  - definition:
    - 'img /Leads: \\d+ in 28 days/'
  - term: New sales
  - definition:
    - 'img /New sales: \\d+ in 28 days/'
  - term: Renewals
  - region "Net revenue":
    - slider "Net revenue by day, USD"
  - region "Funnel":
    - list:
      - listitem: /Clicks/
      - listitem: /Leads/
      - listitem: /New sales/
    - term: Renewals
  - term: Refunds and lost disputes
  - term: Payments not attributed
  - definition:
    - link "See reasons"
  - term: Test events, all time
  - region "Latest events":
    - link "View all"`),
  '/dashboard/events': dashboardFrame(`
  - heading "Events" [level=1]
  - button "Live (pause updates)"
  - form "Filter events":
    - combobox "Type"
    - combobox "Mode"
    - combobox "Partner"
    - textbox "Customer ID"
    - textbox "From (UTC)"
    - textbox "To (UTC)"
    - button "Apply"
    - link "Clear"`),
  '/dashboard/events?customer=nobody': dashboardFrame(`
  - heading "Events" [level=1]
  - form "Filter events"
  - paragraph: No matching events`),
  '/dashboard/customers': dashboardFrame(`
  - heading "Customers" [level=1]
  - search "Search customers":
    - searchbox "Email at sign-up or customer ID"
    - button "Search"`),
  '/dashboard/customers/led_x': dashboardFrame(`
  - heading "Customer not found" [level=1]
  - link "All customers"`),
  '/dashboard/partners': dashboardFrame(`
  - heading "Partners" [level=1]
  - navigation "Date range"
  - region "Partners by code":
    - table "Partners by code":
      - rowgroup:
        - row:
          - columnheader "Partner"
          - columnheader "Link"
          - columnheader "Clicks"
          - columnheader "Leads"
          - columnheader "New sales"
          - columnheader "Renewals"
          - columnheader "Net revenue"
          - columnheader "Actions"
      - rowgroup:
        - row /Ada Keller Active .* Deactivate/
        - row /Grace Okafor Active .* Deactivate/
        - row /Linus Berg Inactive .* Activate/
  - region "Add a partner":
    - textbox "Code"
    - textbox "Name"
    - button "Add partner"`),
  '/dashboard/no-such-page': dashboardFrame(`
  - heading "Page not found" [level=1]
  - link "Overview"`),
  '/dashboard/settings': dashboardFrame(`
  - heading "Settings" [level=1]
  - region "Program ID":
    - button "Copy the program ID"
  - region "API keys":
    - region "API keys, newest first"
    - textbox "Name"
    - combobox "Access"
    - button "Create key"
  - region "Lead auth policy":
    - group "Lead auth policy":
      - radio "Server-verified" [checked]
      - radio "Browser allowed"
    - button "Save policy"
  - region "Attribution windows":
    - spinbutton "Cookie window (days)"
    - spinbutton "Attribution window (days)"
    - button "Save windows"
  - region "Checkout metadata":
    - region "How to create a checkout session"
  - region "Connected payment account":
    - text: "Payments: test mode"
    - definition:
      - button "Copy the endpoint"
    - combobox "Stripe mode"
    - textbox "Account ID"
    - button "Save account"
  - region "Pause program":
    - button "Pause program"`),
};

const controlRoomFrame = (main: string) => `
- banner:
  - link "Emulator"
  - navigation "Control room":
    - link "Trace"
    - link "Tour"
    - link "Scenarios"
    - link "Simulate"
    - link "Deliveries"
    - link "Users"
    - link "Payments"
  - navigation "App":
    - link "Larkdesk"
- main:${main}
`;

/** The control room, on the emulators' own origin. */
export const CONTROL_ROOM_PAGES: Record<string, string> = {
  '/': controlRoomFrame(`
  - heading "Trace" [level=1]
  - form "Clock":
    - button "Advance one month"
  - region "Trace":
    - form "Filter":
      - combobox "Visitor"
      - searchbox "Path or ID"
      - link "Export HAR"`),
  '/scenarios': controlRoomFrame(`
  - heading "Scenarios" [level=1]
  - list:
    - listitem:
      - heading "Service outage" [level=2]`),
  '/scenarios/tracker-blocked': controlRoomFrame(`
  - heading "Tracker blocked" [level=1]
  - region "Visitor"
  - region "What the service has"
  - region "Evidence"
  - region "Webhooks"`),
  '/tour': controlRoomFrame(`
  - heading "Tour" [level=1]
  - region "Steps"
  - iframe
  - region "Trace of this visitor"`),
  '/simulate': controlRoomFrame(`
  - heading "Simulate" [level=1]
  - form "Customer":
    - combobox "Customer"
    - button "Show"
  - region "Clock":
    - button "Advance one month"
    - button "Advance one day"
    - button "To the next renewal"
  - region "Faults":
    - list:
      - listitem "Out-of-order webhooks"
      - listitem "Duplicate webhooks"
      - listitem "Delayed webhooks"
      - listitem "Paused webhooks"
      - listitem "Missing subscription metadata"
      - listitem "Service outage"
      - listitem "Tracker blocked"
  - region "Deliveries":
    - link "All deliveries"
  - region "State":
    - link "Export to a file"`),
  '/deliveries': controlRoomFrame(`
  - heading "Deliveries" [level=1]
  - region "Deliveries"`),
  '/users': controlRoomFrame(`
  - heading "Users" [level=1]
  - region "Users"`),
  '/payments': controlRoomFrame(`
  - heading "Payments" [level=1]
  - region "Subscriptions"
  - region "Charges"`),
  '/none': controlRoomFrame(`
  - heading "Page not found" [level=1]`),
};

/** Pages of a customer who has signed up. */
export const SIGNED_IN_PAGES: Record<string, string> = {
  '/welcome': accountFrame(`
  - heading "Welcome to Larkdesk" [level=1]
  - heading "Choose a plan" [level=2]
  - link "View plans"`),
  '/account': accountFrame(`
  - heading "Account" [level=1]
  - paragraph: No plan yet
  - link "View plans"`),
  '/account/plans': accountFrame(`
  - heading "Plans" [level=1]
  - heading "Studio monthly" [level=2]
  - list
  - button "Choose Studio monthly"
  - heading "Studio yearly" [level=2]
  - list
  - button "Choose Studio yearly"`),
  '/checkout?plan=studio_monthly&problem=payment': accountFrame(`
  - heading "Checkout" [level=1]
  - alert:
    - paragraph: The payment page could not be opened
  - heading "Studio monthly" [level=2]
  - link "Change plan"
  - button "Continue to payment"
  - button "Pay by bank transfer for Studio monthly"`),
  '/checkout/success': accountFrame(`
  - heading "Thank you" [level=1]
  - link "Go to your account"
  - status:
    - paragraph: /Your payment is being confirmed/`),
  '/operator': accountFrame(`
  - heading "Operator" [level=1]
  - heading "Health" [level=2]
  - heading "Bank transfers" [level=2]
  - heading "Outbox" [level=2]`),
};

const accountPortal = (main: string) => `
- banner:
  - paragraph: Larkdesk
- main:${main}
`;

/** Clerk's own pages, on the emulators' origin. */
export const ACCOUNT_PORTAL: Record<string, string> = {
  '/clerk/sign-in': accountPortal(`
  - heading "Sign in to Larkdesk" [level=1]
  - textbox "Email address"
  - button "Continue"`),
  '/clerk/sign-up': accountPortal(`
  - heading "Create your account" [level=1]
  - textbox "Email address"
  - textbox "Password"
  - button "Continue"`),
  '/clerk/user': accountPortal(`
  - heading "Profile details" [level=1]`),
};

/** Pages that the providers host, in the order of a purchase. */
export const HOSTED_CHECKOUT = `
- banner:
  - paragraph: /Stripe Checkout, emulated/
- main:
  - region "Subscribe to Larkdesk":
    - paragraph:
      - link "Cancel and go back"
    - heading "Subscribe to Larkdesk" [level=1]
    - list:
      - listitem: /\\$19\\.00 per month/
    - textbox "Promotion code"
    - button "Apply"
  - textbox "Email"
  - textbox "Card number"
  - textbox "Expiry"
  - textbox "CVC"
  - textbox "Name on card"
  - button "Subscribe"
  - group: Test cards
`;

export const PAID_ACCOUNT = accountFrame(`
  - heading "Account" [level=1]
  - heading "Studio monthly" [level=2]
  - text: Active
  - paragraph:
    - time: /\\d+ \\w+ \\d{4}/
  - term: Price
  - definition:
    - paragraph: $19.00 a month
  - term: Next invoice
  - definition:
    - time: /\\d+ \\w+ \\d{4}/
  - button "Manage billing"`);

export const PORTAL = `
- main:
  - paragraph:
    - link "Return to Larkdesk"
  - heading "Your billing with Larkdesk" [level=1]
  - region "Larkdesk Studio":
    - group: Use another card
    - combobox "Change to"
    - button "Change plan"
    - button "Cancel at the end of the period"
    - link "Cancel now"
  - region "Invoices":
    - region "Invoices, newest first":
      - table:
        - rowgroup
        - rowgroup:
          - row /\\$19\\.00 Paid/
`;

export const CONSENT = `
- banner:
  - paragraph: Postbox
- main:
  - heading "Continue with Postbox" [level=1]
  - textbox "Email address"
  - textbox "First name"
  - textbox "Last name"
  - button "Allow"
  - button "Cancel"
`;
