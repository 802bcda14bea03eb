/**
 * True unless it is a plain relative path of a file: if it is absolute, has `..`, a drive or a backslash, or lies in a
 * `.git`, where git runs files. Whatever is read from a project is checked before it is used as a path.
 */
export function leavesProject(path: string): boolean {
  return /[\\:\0]|(^|\/)(\.{0,2}|\.git|git~\d+)(\/|$)/i.test(path);
}
