// The Account Portal: mounts one of Clerk's components, then leads back to the app. Clerk's scripts have run before.
type Component = 'SignIn' | 'SignUp' | 'UserProfile';
type Props = { routing: 'path'; path: string };

type ClerkGlobal = {
  user: unknown;
  load: (options: Record<string, unknown>) => Promise<void>;
  redirectToSignIn: (options: { redirectUrl: string }) => Promise<unknown>;
} & Record<`mount${Component}`, (element: HTMLElement, props: Props) => void>;

const COMPONENTS: Record<string, Component> = { 'sign-in': 'SignIn', 'sign-up': 'SignUp', user: 'UserProfile' };

/** Navigates. Within the component, without reloading the page, which would lose its messages. */
function router(path: string, write: (url: URL) => void) {
  return (to: string) => {
    const url = new URL(to, location.href);
    const isWithin = url.origin === location.origin && `${url.pathname}/`.startsWith(`${path}/`);
    if (isWithin) write(url);
    else location.assign(url);
  };
}

async function mount(element: HTMLElement): Promise<void> {
  const { Clerk: clerk, __internal_ClerkUICtor: ClerkUI } = window as unknown as {
    Clerk: ClerkGlobal;
    __internal_ClerkUICtor: unknown;
  };
  const { component = '', home = '/', origins = '' } = element.dataset;
  const name = COMPONENTS[component];
  if (!name) return;
  const path = `/clerk/${component}`;
  await clerk.load({
    ui: { ClerkUI },
    signInUrl: '/clerk/sign-in',
    signUpUrl: '/clerk/sign-up',
    signInFallbackRedirectUrl: home,
    signUpFallbackRedirectUrl: home,
    afterSignOutUrl: home,
    allowedRedirectOrigins: origins.split(' '), // the app is on another origin
    routerPush: router(path, (url) => history.pushState(null, '', url)),
    routerReplace: router(path, (url) => history.replaceState(null, '', url)),
    telemetry: false,
  });
  if (name === 'UserProfile' && !clerk.user) await clerk.redirectToSignIn({ redirectUrl: location.href });
  else clerk[`mount${name}`](element, { routing: 'path', path });
}

const element = document.getElementById('account-portal');
if (element) void mount(element);
