// The search of the documents: every word has to occur; matches in the title come first.
const input = document.querySelector('input[type=search]');
const results = document.querySelector('#results');
const found = document.querySelector('#found');
const LISTED = 12;
/** @type {Promise<{ url: string, title: string, text: string }[]> | undefined} */
let pages;

document.querySelector('form')?.addEventListener('submit', (event) => event.preventDefault());
input?.addEventListener('input', async () => {
  try {
    pages ??= fetch('/index.json').then((response) => response.json());
    show(await pages);
  } catch {
    pages = undefined; // the next key tries again
    found.textContent = 'The search is not available. Type on to try again.';
  }
});

/** A screen reader reads how many pages there are, not the pages. */
function show(all) {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = words.length === 0 ? [] : all.flatMap((page) => rank(page, words));
  matches.sort((a, b) => b.score - a.score);
  results.hidden = matches.length === 0;
  results.replaceChildren(...matches.slice(0, LISTED).map(showResult));
  const count = matches.length > LISTED ? `${LISTED} of ${matches.length}` : matches.length || 'No';
  found.textContent = words.length === 0 ? '' : `${count} ${matches.length === 1 ? 'match' : 'matches'}`;
}

function rank(page, words) {
  const [title, text] = [page.title.toLowerCase(), page.text.toLowerCase()];
  if (!words.every((word) => text.includes(word))) return [];
  const at = text.indexOf(words[0]);
  const score = words.filter((word) => title.includes(word)).length * 100 + text.split(words[0]).length;
  return [{ ...page, score, excerpt: page.text.slice(Math.max(at - 40, 0), at + 100) }];
}

function showResult({ url, title, excerpt }) {
  const [item, link, text] = ['li', 'a', 'span'].map((name) => document.createElement(name));
  link.href = url;
  link.textContent = title;
  text.textContent = `… ${excerpt} …`;
  item.append(link, text);
  return item;
}
