/**
 * A path as it is typed in a command: in double quotes, which shells of Windows know too, unless it is plain. A POSIX
 * shell would expand some of it there.
 */
export function typedPath(path: string): string {
  if (process.platform !== 'win32' && /^~|[$`\\"!]/.test(path)) return inQuotes(path);
  return /^[\w@%+=:,./\\~-]+$/.test(path) ? path : `"${path}"`;
}

/** Quoted, if it has to be, so that a POSIX shell reads it as one word. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : inQuotes(word);
}

/** A text as one word of a POSIX shell. */
export function inQuotes(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
