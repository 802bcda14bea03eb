import { basename } from 'node:path/posix';
import { type ParseError, parse, visit } from '../../packages/jsonc-parser.js';
import {
  bothChanged,
  type Data,
  hasItem,
  isRecord,
  type KeyEdit,
  mergeByKey,
  type Path,
  placeAmong,
} from './by-key.js';
import {
  indentUnit,
  insertItem,
  insertProperty,
  keysAt,
  rawAt,
  removeAt,
  replaceValue,
  valueAt,
} from './json-text.js';
import type { Merged, ThreeVersions } from './merge-file.js';
import { encodingOf, linesOf, linesOfText, shapeOf, textFrom } from './text-shape.js';
import {
  higherRange,
  movesNotIn,
  type SectionMove,
  sectionMoves,
  withMoves,
} from './version-range.js';

/**
 * Merges JSON, with comments or without, key by key into the team's text: its order, indentation and comments stay.
 * Where both sides changed a value, the team's stays, and the template's file has to be put beside it.
 */
export function mergeJson({ path, base, yours, theirs }: ThreeVersions): Merged {
  const encoding = encodingOf(base, yours, theirs);
  const texts = [base, yours, theirs].map((content) => linesOf(content, encoding).join('\n'));
  const [baseText = '', yourText = '', givenText = ''] = texts;
  const data = texts.map(dataOf);
  if (data.some((each) => each === undefined)) {
    return { content: yours, conflict: 'unmergeable', notes: ['it cannot be read as JSON'] };
  }
  const [baseData, yourData, givenData] = data;
  const isPackage = basename(path) === 'package.json';
  // A dependency that one side has moved to another section is merged there. With an entry in each of them, npm would
  // leave it out of production.
  const yourMoves = isPackage ? sectionMoves(yourData, baseData) : [];
  const theirMoves = isPackage ? movesNotIn(yourData, sectionMoves(givenData, baseData)) : [];
  const theirData = withMoves(givenData, yourMoves);
  const theirText = theirData === givenData ? givenText : JSON.stringify(theirData, null, 2);
  const movedText = theirMoves.reduce((now, move) => moved(now, move, givenText), yourText);
  const merge = mergeByKey(
    {
      base: withMoves(withMoves(baseData, yourMoves), theirMoves),
      yours: dataOf(movedText),
      theirs: theirData,
    },
    isPackage ? higherRange : undefined,
  );
  const text = merge.edits.reduce((now, edit) => edited(now, edit, theirText), movedText);
  const [old = [], upstream = [], mine = [], left = []] = [baseText, givenText, yourText, text].map(
    commentsIn,
  );
  if (without(mine, [...left, ...without(old, upstream)]).length > 0) {
    const notes = ['a comment of yours would be lost: yours stays'];
    return { content: yours, conflict: 'by-key', notes };
  }
  const content = textFrom(linesOfText(text), { ...shapeOf(yours), encoding });
  const { conflicts } = merge;
  // The team's own code may import them.
  const dropped = merge.edits.flatMap(({ path, does }) =>
    isPackage && does === 'remove' && /dependencies$/i.test(String(path[0])) ? path.slice(1) : [],
  );
  const notes = [...merge.notes, ...(dropped.length > 0 ? [`drops ${dropped.join(', ')}`] : [])];
  if (conflicts.length === 0) return { content, notes };
  return { content, conflict: 'by-key', notes: [bothChanged(conflicts), ...notes] };
}

function dataOf(text: string): Data {
  const errors: ParseError[] = [];
  const data: Data = parse(text, errors, { allowTrailingComma: true });
  return errors.length > 0 ? undefined : data;
}

function commentsIn(text: string): string[] {
  const comments: string[] = [];
  const onComment = (at: number, length: number) => {
    comments.push(
      text
        .slice(at, at + length)
        .replace(/\s+/g, ' ')
        .trim(),
    );
  };
  visit(text, { onComment });
  return comments;
}

/** Each of the others takes away one that is the same. */
function without(all: string[], others: string[]): string[] {
  const left = [...others];
  return all.filter((each) => !left.includes(each) || !left.splice(left.indexOf(each), 1));
}

/** Moves a dependency to another section, which may be a new one. */
function moved(text: string, { name, from, to }: SectionMove, theirs: string): string {
  const range = valueAt(text, [from, name]);
  const section = valueAt(text, [to]);
  const isNew = section === undefined;
  if (range === undefined || !(isNew || isRecord(section))) return text;
  const edits: KeyEdit[] = [
    { path: [from, name], does: 'remove' },
    ...(isNew ? [{ path: [to], does: 'set' as const, value: {} }] : []),
    { path: [to, name], does: 'set', value: range },
  ];
  return edits.reduce((now, edit) => edited(now, edit, theirs), text);
}

function edited(text: string, edit: KeyEdit, theirs: string): string {
  const { path } = edit;
  if (edit.does === 'remove') {
    const rest = removeAt(text, path);
    // The key may be there twice.
    return valueAt(rest, path) === undefined ? rest : edited(rest, edit, theirs);
  }
  const there = valueAt(text, path);
  if (there === undefined) {
    const parent = path.slice(0, -1);
    const index = placeFor(path, keysAt(text, parent), keysAt(theirs, parent));
    return insertProperty(text, path, rawOf(edit, text, theirs), index);
  }
  if (Array.isArray(there) && Array.isArray(edit.value))
    return editedList(text, path, there, edit.value);
  return replaceValue(text, path, rawOf(edit, text, theirs));
}

/** Removes and adds items, plain values at the end, and touches nothing else. */
function editedList(text: string, path: Path, before: Data[], after: Data[]): string {
  const gone = before.flatMap((item, index) => (hasItem(after, item) ? [] : [index])).reverse();
  const less = gone.reduce((now, index) => removeAt(now, [...path, index]), text);
  const come = after.filter((item) => !hasItem(before, item));
  return come.reduce<string>((now, item, index) => {
    const end = after.length - come.length + index;
    const place = isRecord(item) ? Math.min(after.indexOf(item), end) : end;
    return insertItem(now, path, JSON.stringify(item), place);
  }, less);
}

/** The template's text of the value, in the team's indentation. */
function rawOf(edit: KeyEdit & { does: 'set' }, text: string, theirs: string): string {
  if (edit.value !== undefined) return JSON.stringify(edit.value);
  const [from, to] = [indentUnit(theirs), indentUnit(text)];
  return rawAt(theirs, edit.path)
    .split('\n')
    .map((line) => {
      const [, depth = '', rest = ''] = new RegExp(`^((?:${from})*)(.*)$`).exec(line) ?? [];
      return to.repeat(depth.length / from.length) + rest;
    })
    .join('\n');
}

/** In order among keys that are sorted, and not by chance; else after the key that it follows in the template. */
function placeFor(path: Path, yours: string[], theirs: string[]): number {
  const key = String(path.at(-1));
  const isSorted = yours.every((each, index) => index === 0 || (yours[index - 1] ?? '') <= each);
  if (isSorted && yours.length > 2) return yours.filter((each) => each < key).length;
  return placeAmong(yours, key, theirs);
}
