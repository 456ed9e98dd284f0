export default function Pricing() {
  return (
    <main>
      <h1>Acme Pro</h1>
      <form action="/api/checkout" method="post">
        <button type="submit">Buy Pro</button>
      </form>
    </main>
  );
}
