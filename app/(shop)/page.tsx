export default function LandingPage() {
  return <main>Larkdesk</main>;
}
