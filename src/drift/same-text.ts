/** A text without what editors and checkouts change by themselves: byte order mark, line ends, the last of them. */
export function normalised(content: Buffer): string {
  const text = content
    .toString()
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n');
  return text.endsWith('\n') || text === '' ? text : `${text}\n`;
}

/** The content with the line ends of another one, so that a comparison shows what people have changed. */
export function withLineEndsOf(model: Buffer, content: Buffer): Buffer {
  if (model.includes('\r\n') || !content.includes('\r\n')) return content;
  return Buffer.from(content.toString().replaceAll('\r\n', '\n'));
}
