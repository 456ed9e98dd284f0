import Link from 'next/link';

export default function Home() {
  return (
    <main>
      <h1>Acme</h1>
      <Link href="/sign-up">Sign up</Link> <Link href="/pricing">Pricing</Link>
    </main>
  );
}
