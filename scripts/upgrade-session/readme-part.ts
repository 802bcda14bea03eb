import type { Shown } from './session.js';

const begin = '<!-- upgrade-session: made by `npm run upgrade-session -- --write` -->';
const end = '<!-- /upgrade-session -->';

/** A session as people see it on a terminal. */
export function sessionText(session: Shown[]): string {
  return session
    .map(({ typed, printed }) => [`$ ${typed}`, printed.trimEnd()].filter(Boolean).join('\n'))
    .map((text) => `${text}\n`)
    .join('');
}

/** The page with the session in its place. @throws Error if it has no such place */
export function inReadme(page: string, text: string): string {
  const { before, after } = placeIn(page);
  return `${before}\`\`\`console\n${text}\`\`\`\n${after}`;
}

/** The session that the page shows now. */
export function sessionIn(page: string): string {
  return placeIn(page).between.replace(/^```console\n|```\n$/g, '');
}

function placeIn(page: string): { before: string; between: string; after: string } {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from === -1 || to === -1) throw new Error('the page has no place for the session');
  const start = from + begin.length + 1;
  return { before: page.slice(0, start), between: page.slice(start, to), after: page.slice(to) };
}
