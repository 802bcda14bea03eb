/**
 * A page with generated text between its markers, `<!-- <name>: made by … -->` and `<!-- /<name> -->`, which stay.
 * @throws Error if the page has no such place
 */
export function withMarkedPart(page: string, name: string, text: string): string {
  const { start, end } = placeOf(page, name);
  return `${page.slice(0, start)}${text.trim()}\n${page.slice(end)}`;
}

function placeOf(page: string, name: string): { start: number; end: number } {
  const begin = new RegExp(`<!-- ${name}: .*-->\n`).exec(page);
  const end = page.indexOf(`<!-- /${name} -->`);
  if (!begin || end === -1) throw new Error(`the page has no place for ${name}`);
  return { start: begin.index + begin[0].length, end };
}
