import { TrackerProvider } from '@svc/tracker';
import type { AppProps } from 'next/app';

export default function App({ Component, pageProps }: AppProps) {
  return (
    <TrackerProvider
      programId={process.env.NEXT_PUBLIC_SVC_PROGRAM_ID ?? ''}
      baseUrl={process.env.NEXT_PUBLIC_SVC_BASE_URL}
    >
      <Component {...pageProps} />
    </TrackerProvider>
  );
}
