import { isCode } from './parse-code.js';
import { isSameCode } from './same-code.js';
import { isBinary } from './text-shape.js';

/**
 * True if the two texts differ only in what a formatter decides. Not needed for data (JSON, YAML), which is merged by
 * key.
 */
export async function isOnlyReformatted(
  path: string,
  one: Buffer,
  other: Buffer,
): Promise<boolean> {
  if (isBinary(one) || isBinary(other)) return false;
  if (isCode(path)) return isSameCode(path, one.toString(), other.toString());
  return path.endsWith('.md') && prose(one) === prose(other);
}

/** Markdown without what formatters decide: where lines break, how wide a table is. */
function prose(content: Buffer): string {
  return content.toString().replace(/-{3,}/g, '---').replace(/\s+/g, ' ').trim();
}
