import { parseCode } from './parse-code.js';

/** A word, punctuator or comment of a program. */
export interface Token {
  /** The same for tokens that mean the same, whatever their quotes. */
  key: string;
  start: number;
  end: number;
}

/** A token of the parser, whose own type is less precise. Comments are among the tokens. */
interface ParsedToken {
  type: string | { label: string };
  value?: unknown;
  start: number;
  end: number;
}

/**
 * The tokens of a program without semicolons and trailing commas that formatters decide; undefined if it has an error.
 */
export async function tokensOf(path: string, text: string): Promise<Token[] | undefined> {
  const tree = await parseCode(path, text, { tokens: true });
  if (!tree) return undefined;
  const all = (tree.tokens ?? []) as ParsedToken[];
  const said = all.filter(({ type }) => nameOf(type) !== 'eof');
  const textOf = (token?: ParsedToken) => token && text.slice(token.start, token.end);
  const isNeedless = (token: ParsedToken, index: number) => {
    if (textOf(token) !== ',') return textOf(token) === ';';
    const next = said.slice(index + 1).find(({ type }) => !isComment(type));
    return [')', ']', '}'].includes(textOf(next) ?? '');
  };
  return said
    .filter((token, index) => !isNeedless(token, index))
    .map((token) => ({ key: keyOf(token, text), start: token.start, end: token.end }));
}

function keyOf({ type, value, start, end }: ParsedToken, text: string): string {
  const said = value === undefined ? text.slice(start, end) : String(value);
  return `${nameOf(type)} ${isComment(type) ? said.replace(/\s+/g, ' ').trim() : said}`;
}

function nameOf(type: ParsedToken['type']): string {
  return typeof type === 'string' ? type : type.label;
}

function isComment(type: ParsedToken['type']): boolean {
  return nameOf(type).startsWith('Comment');
}
