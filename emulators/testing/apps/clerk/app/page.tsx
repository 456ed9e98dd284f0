export default function Home() {
  return <h1>Quickstart</h1>;
}
