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
  const text = content.toString(encoding);
  const all = text.split('\n').length - 1;
  const windows = text.split('\r\n').length - 1;
  return {
    lineEnd: windows * 2 > all ? '\r\n' : '\n',
    hasByteOrderMark: text.startsWith(byteOrderMark),
    endsWithLineEnd: text === '' || text.endsWith('\n'),
    encoding,
  };
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

/** The text as templates write it: lines end in a line feed, the last one too, no byte order mark. */
export function normalized(content: Buffer): Buffer {
  const shape = shapeOf(content);
  const isNormal =
    shape.endsWithLineEnd && !shape.hasByteOrderMark && !content.includes('\r\n', 0, 'latin1');
  if (isNormal) return content;
  return textFrom(linesOf(content), {
    lineEnd: '\n',
    hasByteOrderMark: false,
    endsWithLineEnd: true,
    encoding: shape.encoding,
  });
}

/** Bytes that are no UTF-8 are taken one by one: so every merge gives them back as they were. */
export function encodingOf(...contents: Buffer[]): TextShape['encoding'] {
  const isUtf8 = contents.every((content) => Buffer.from(content.toString()).equals(content));
  return isUtf8 ? 'utf8' : 'latin1';
}

export function isBinary(content: Buffer): boolean {
  return content.includes(0);
}
