import { isUtf8 } from 'node:buffer';

/** What of a text is its writer's habit and no content: merges compare without it and keep the team's. */
export interface TextShape {
  lineEnd: '\n' | '\r\n';
  hasByteOrderMark: boolean;
  endsWithLineEnd: boolean;
  encoding: 'utf8' | 'latin1';
}

const byteOrderMark = '\uFEFF';

/** The shape of a text; of mixed line ends the more frequent one. */
export function shapeOf(content: Buffer): TextShape {
  const encoding = encodingOf(content);
  return {
    lineEnd: lineEndOf(content),
    hasByteOrderMark: encoding === 'utf8' && beginsWithMark(content),
    endsWithLineEnd: endsWithLineEnd(content),
    encoding,
  };
}

function lineEndOf(content: Buffer): TextShape['lineEnd'] {
  if (!hasWindowsEnds(content)) return '\n';
  const text = content.toString('latin1');
  const all = text.split('\n').length - 1;
  const windows = text.split('\r\n').length - 1;
  return windows * 2 > all ? '\r\n' : '\n';
}

// Bytes are looked at where that will do: hundreds of files are, and most have the shape of the templates.
function hasWindowsEnds(content: Buffer): boolean {
  return content.includes('\r\n', 0, 'latin1');
}

function beginsWithMark(content: Buffer): boolean {
  return content[0] === 0xef && content[1] === 0xbb && content[2] === 0xbf;
}

function endsWithLineEnd(content: Buffer): boolean {
  return content.length === 0 || content.at(-1) === 0x0a;
}

/** The lines of a text without their ends and without a byte order mark. */
export function linesOf(content: Buffer, encoding = encodingOf(content)): string[] {
  const text = content.toString(encoding).replace(byteOrderMark, '').replaceAll('\r\n', '\n');
  return linesOfText(text);
}

/** The same of a text that is one already; the line end of the last line begins no further line. */
export function linesOfText(text: string): string[] {
  if (text === '') return [];
  return text.replace(/\n$/, '').split('\n');
}

/** Lines as a text of the given shape. */
export function textFrom(lines: string[], shape: TextShape): Buffer {
  if (lines.length === 0) return Buffer.from(shape.hasByteOrderMark ? byteOrderMark : '');
  const text = lines.join(shape.lineEnd) + (shape.endsWithLineEnd ? shape.lineEnd : '');
  return Buffer.from((shape.hasByteOrderMark ? byteOrderMark : '') + text, shape.encoding);
}

/** True for a text as templates write it: lines end in a line feed, the last one too, no byte order mark. */
export function isNormal(content: Buffer): boolean {
  return endsWithLineEnd(content) && !beginsWithMark(content) && !hasWindowsEnds(content);
}

/** The text as templates write it. */
export function normalized(content: Buffer): Buffer {
  if (isNormal(content)) return content;
  return textFrom(linesOf(content), {
    lineEnd: '\n',
    hasByteOrderMark: false,
    endsWithLineEnd: true,
    encoding: encodingOf(content),
  });
}

/** Bytes that are no UTF-8 are taken one by one: so every merge gives them back as they were. */
export function encodingOf(...contents: Buffer[]): TextShape['encoding'] {
  return contents.every((content) => isUtf8(content)) ? 'utf8' : 'latin1';
}

export function isBinary(content: Buffer): boolean {
  return content.includes(0);
}
