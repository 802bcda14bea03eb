import { parseCode } from './parse-code.js';
import { hunksBetween } from './regions.js';
import { isSameCode } from './same-code.js';

/** A program and its tokens. */
interface Laid {
  text: string;
  tokens: Token[];
}

/** A token of the result: its index in the base, in the team's program, or in both. */
interface Piece {
  model?: number;
  own?: number;
}

/**
 * The team's program in the layout of the base: what both have in common is laid out as in the base, what the team has
 * written stays as it is. So a merge by line sees what was written, not how it was formatted.
 * @returns undefined if one of them cannot be parsed, or if the result would be a different program from the team's
 */
export function restoreLayout(path: string, base: string, yours: string): string | undefined {
  const [model, own] = [laid(path, base), laid(path, yours)];
  if (!model || !own) return undefined;
  // First undoes all that formatters may do; if that gives a different program, only what every formatter does.
  for (const isBold of [true, false]) {
    const text = inBaseLayout(model, own, isBold);
    if (isSameCode(path, yours, text)) return text;
  }
  return undefined;
}

/** Adds an empty token at both ends, so that the text before the first and after the last one is between two tokens. */
function laid(path: string, text: string): Laid | undefined {
  const tokens = tokensOf(path, text);
  const edge = (at: number) => ({ key: '', start: at, end: at });
  return tokens && { text, tokens: [edge(0), ...tokens, edge(text.length)] };
}

/** @param isBold also undoes signs that formatters may add, and the ends of lines that the team has continued */
function inBaseLayout(model: Laid, own: Laid, isBold: boolean): string {
  const pieces = piecesOf(model, own, isBold);
  const texts = pieces.map((piece, index) => {
    const before = index === 0 ? '' : gapBetween(pieces[index - 1], piece, { model, own }, isBold);
    return before + textOf(piece, model, own);
  });
  return texts.join('');
}

function piecesOf(model: Laid, own: Laid, isBold: boolean): Piece[] {
  const keys = ({ tokens }: Laid) => tokens.map(({ key }) => key);
  const pieces: Piece[] = [];
  const at = { model: 0, own: 0 };
  const takeCommon = (until: number) => {
    while (at.model < until) pieces.push({ model: at.model++, own: at.own++ });
  };
  for (const { start, end, lines } of hunksBetween(keys(model), keys(own))) {
    takeCommon(start);
    const differing = [...keys(model).slice(start, end), ...lines];
    const isOfFormatter = isBold && differing.every((key) => mayBeAdded.test(key));
    const count = isOfFormatter ? end - start : lines.length;
    for (let index = 0; index < count; index++) {
      pieces.push(isOfFormatter ? { model: start + index } : { own: at.own + index });
    }
    at.model = end;
    at.own += lines.length;
  }
  takeCommon(model.tokens.length);
  return pieces;
}

/** Parentheses, and the sign before the first member of a type. */
const mayBeAdded = /^\S+ [()|&]$/;

/** The text between a token and the one before it. */
function gapBetween(
  left: Piece | undefined,
  right: Piece,
  { model, own }: { model: Laid; own: Laid },
  isBold: boolean,
): string {
  if (right.model !== undefined && right.model - 1 === left?.model) return gap(model, right.model);
  const written = right.own === undefined ? '' : gap(own, right.own);
  if (!written.includes('\n')) return written;
  // If only one neighbour is common, only the end or the beginning of its line is common.
  const after = left?.model === undefined || !isBold ? '' : gap(model, left.model + 1);
  const before = right.model === undefined ? '' : gap(model, right.model);
  const head = after.includes('\n') ? after : written;
  const tail = before.includes('\n') ? before : written;
  const middle = written.slice(written.indexOf('\n'), written.lastIndexOf('\n') + 1);
  return head.slice(0, head.indexOf('\n')) + middle + tail.slice(tail.lastIndexOf('\n') + 1);
}

function gap({ text, tokens }: Laid, index: number): string {
  return text.slice(tokens[index - 1]?.end, tokens[index]?.start);
}

/** The text of a token; one that both have is spelled as in the base. */
function textOf({ model: there, own: here }: Piece, model: Laid, own: Laid): string {
  const { text } = there === undefined ? own : model;
  const token = there === undefined ? own.tokens[here ?? 0] : model.tokens[there];
  return text.slice(token?.start, token?.end);
}

/** A word, punctuator or comment of a program. */
interface Token {
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
function tokensOf(path: string, text: string): Token[] | undefined {
  const tree = parseCode(path, text, { tokens: true });
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
