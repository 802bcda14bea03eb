/**
 * A page with generated text between its markers, `<!-- <name>: made by … -->` and `<!-- /<name> -->`, which stay.
 * @throws Error if the page has no such place
 */
export function withMarkedPart(page: string, name: string, text: string): string {
  const part = new RegExp(`(<!-- ${name}: .*-->\n)[^]*(<!-- /${name} -->)`);
  if (!part.test(page)) throw new Error(`the page has no place for ${name}`);
  return page.replace(part, (_, begin: string, end: string) => `${begin}${text.trim()}\n${end}`);
}
