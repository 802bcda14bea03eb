/** The content with the line ends of another one, so that a comparison shows what people have changed. */
export function withLineEndsOf(model: Buffer, content: Buffer): Buffer {
  if (model.includes('\r\n') || !content.includes('\r\n')) return content;
  return Buffer.from(content.toString().replaceAll('\r\n', '\n'));
}
