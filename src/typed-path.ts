/** A path as it is typed in a command: in double quotes, which shells of Windows know too, unless it is plain. */
export function typedPath(path: string): string {
  return /^[\w@%+=:,./\\~-]+$/.test(path) ? path : `"${path}"`;
}
