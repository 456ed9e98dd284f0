import { TrackerScript } from '@svc/tracker';
import { Head, Html, Main, NextScript } from 'next/document';

export default function Document() {
  return (
    <Html lang="en">
      <Head />
      <body>
        <TrackerScript
          programId={process.env.NEXT_PUBLIC_SVC_PROGRAM_ID ?? ''}
          baseUrl={process.env.NEXT_PUBLIC_SVC_BASE_URL}
        />
        <Main />
        <NextScript />
      </body>
    </Html>
  );
}
