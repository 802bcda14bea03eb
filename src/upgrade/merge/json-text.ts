import { getNodeValue, type Node, parseTree } from '../../packages/jsonc-parser.js';
import type { Data, Path } from './by-key.js';

/** Changes to the text of a JSON document that leave every other byte unchanged. */

/** Replaces a value. @param raw JSON text */
export function replaceValue(text: string, path: Path, raw: string): string {
  const node = nodeAt(text, path);
  return splice(text, node.offset, node.offset + node.length, raw);
}

/**
 * Adds a property to an object, on its own lines if the others have their own.
 * @param raw JSON text of the value
 * @param index among the object's properties
 */
export function insertProperty(text: string, path: Path, raw: string, index: number): string {
  const object = nodeAt(text, path.slice(0, -1));
  return insertChild(text, object, index, `${JSON.stringify(path.at(-1))}: ${raw}`);
}

/** Adds an item to a list. @param raw JSON text */
export function insertItem(text: string, path: Path, raw: string, index: number): string {
  return insertChild(text, nodeAt(text, path), index, raw);
}

/** Removes a property or an item, and its comma. */
export function removeAt(text: string, path: Path): string {
  const value = nodeAt(text, path);
  const child = value.parent?.type === 'property' ? value.parent : value;
  const siblings = childrenOf(child.parent);
  const index = siblings.indexOf(child);
  const [before, after] = [siblings[index - 1], siblings[index + 1]];
  if (after) return splice(text, child.offset, after.offset, '');
  if (before) return splice(text, endOf(before), endOf(child), '');
  const holder = child.parent ?? child;
  return splice(text, holder.offset + 1, endOf(holder) - 1, '');
}

/** The value at a path; undefined if nothing is there. */
export function valueAt(text: string, path: Path): Data {
  const node = nodeIn(text, path);
  return node && getNodeValue(node);
}

/** The names of an object's properties, in order. */
export function keysAt(text: string, path: Path): string[] {
  return childrenOf(nodeAt(text, path)).map(({ children }) => String(children?.[0]?.value));
}

/** The text of a value, with its further lines indented as if it began a line. */
export function rawAt(text: string, path: Path): string {
  const node = nodeAt(text, path);
  const raw = text.slice(node.offset, endOf(node));
  return shifted(raw, indentAt(text, node.offset), '');
}

/** Replaces the indentation of all lines but the first. */
function shifted(raw: string, from: string, to: string): string {
  return raw
    .split('\n')
    .map((line, index) =>
      index > 0 && line.startsWith(from) ? to + line.slice(from.length) : line,
    )
    .join('\n');
}

/** The indentation of one level; two blanks if nothing is indented. */
export function indentUnit(text: string): string {
  const first = childrenOf(parseTree(text))[0];
  return (first && isOnOwnLine(text, first) && indentAt(text, first.offset)) || '  ';
}

/** The white space at the beginning of a position's line. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

function insertChild(text: string, holder: Node, index: number, written: string): string {
  const children = childrenOf(holder);
  const [before, after] = [children[index - 1], children[index]];
  const first = children[0];
  if (!first) {
    const outer = indentAt(text, holder.offset);
    const inner = outer + indentUnit(text);
    const lines = `\n${inner}${shifted(written, '', inner)}\n${outer}`;
    return splice(text, holder.offset + 1, endOf(holder) - 1, lines);
  }
  const indent = indentAt(text, first.offset);
  const indented = shifted(written, '', indent);
  if (isOnOwnLine(text, first)) return insertLine(text, before, indent + indented, after ?? first);
  if (before) return splice(text, endOf(before), endOf(before), `, ${indented}`);
  const at = (after ?? first).offset;
  return splice(text, at, at, `${indented}, `);
}

/** Inserts after the line of `before`, whose comment stays with it; at the top if there is none. */
function insertLine(text: string, before: Node | undefined, lines: string, next: Node): string {
  if (!before) {
    const start = text.lastIndexOf('\n', next.offset) + 1;
    return splice(text, start, start, `${lines},\n`);
  }
  const end = endOf(before);
  const [rest = ''] = /^[^\n]*/.exec(text.slice(end)) ?? [];
  const hasComma = /^\s*,/.test(rest);
  const isWhole = /^\s*,?\s*(\/\/.*|\/\*.*\*\/\s*)?$/.test(rest);
  if (!isWhole) return splice(text, end, end, `,\n${lines}`);
  const behind = hasComma ? rest : `,${rest}`;
  return splice(text, end, end + rest.length, `${behind}\n${lines}${hasComma ? ',' : ''}`);
}

function isOnOwnLine(text: string, node: Node): boolean {
  const start = text.lastIndexOf('\n', node.offset - 1);
  return start >= 0 && text.slice(start, node.offset).trim() === '';
}

function nodeAt(text: string, path: Path): Node {
  const node = nodeIn(text, path);
  if (!node) throw new Error(`the document has nothing at ${path.join('.')}`);
  return node;
}

/** Of a key that is there twice, the last: parsers use that one. */
function nodeIn(text: string, path: Path): Node | undefined {
  return path.reduce<Node | undefined>((node, step) => {
    const children = childrenOf(node);
    if (typeof step === 'number') return children[step];
    return children.findLast(
      (each) => each.type === 'property' && childrenOf(each)[0]?.value === step,
    )?.children?.[1];
  }, parseTree(text));
}

function childrenOf(node: Node | undefined): Node[] {
  return node?.children ?? [];
}

function endOf(node: Node): number {
  return node.offset + node.length;
}

function splice(text: string, start: number, end: number, middle: string): string {
  return text.slice(0, start) + middle + text.slice(end);
}
