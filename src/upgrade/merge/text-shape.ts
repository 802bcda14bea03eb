import { isUtf8 } from 'node:buffer';

/** Line ends, byte order mark and encoding of a text: merges compare without them and keep the team's. */
interface TextShape {
  lineEnd: '\n' | '\r\n';
  hasByteOrderMark: boolean;
  endsWithLineEnd: boolean;
  encoding: 'utf8' | 'latin1';
}

const byteOrderMark = '\uFEFF';

/** The shape of a text; if line ends are mixed, the more frequent one. */
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

// Bytes are compared where that is enough: there are hundreds of files, and most have the shape of the templates.
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
  const text = content
    .toString(encoding)
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n');
  return linesOfText(text);
}

/** The same for a text that is already a string; the line end of the last line begins no further line. */
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

/** A text with the line ends of another. */
export function withLineEndsOf(model: Buffer, text: Buffer): Buffer {
  if (isBinary(model) || isBinary(text)) return text;
  return textFrom(linesOf(text), { ...shapeOf(text), lineEnd: shapeOf(model).lineEnd });
}

/** True for a text in the templates' shape: every line ends in a line feed, including the last; no byte order mark. */
function isNormal(content: Buffer): boolean {
  return endsWithLineEnd(content) && !beginsWithMark(content) && !hasWindowsEnds(content);
}

/** The text in the templates' shape. */
export function normalized(content: Buffer): Buffer {
  if (isNormal(content)) return content;
  return textFrom(linesOf(content), {
    lineEnd: '\n',
    hasByteOrderMark: false,
    endsWithLineEnd: true,
    encoding: encodingOf(content),
  });
}

/** Bytes that are not UTF-8 are read one by one, so that every merge gives them back unchanged. */
export function encodingOf(...contents: Buffer[]): TextShape['encoding'] {
  return contents.every((content) => isUtf8(content)) ? 'utf8' : 'latin1';
}

export function isBinary(content: Buffer): boolean {
  return content.includes(0);
}
