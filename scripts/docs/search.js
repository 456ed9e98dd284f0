// The search of the documents: every word has to occur; matches in the title come first.
const input = document.querySelector('input[type=search]');
const results = document.querySelector('#results');
/** @type {Promise<{ url: string, title: string, text: string }[]> | undefined} */
let pages;

document.querySelector('form')?.addEventListener('submit', (event) => event.preventDefault());
input?.addEventListener('input', async () => {
  pages ??= fetch('/index.json').then((response) => response.json());
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length === 0 ? [] : (await pages).flatMap((page) => rank(page, words));
  found.sort((a, b) => b.score - a.score);
  results.hidden = words.length === 0;
  results.replaceChildren(...(found.length > 0 ? found.slice(0, 12).map(showResult) : [showNothing()]));
});

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

function showNothing() {
  const item = document.createElement('li');
  item.textContent = 'No matches';
  return item;
}
