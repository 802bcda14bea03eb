/**
 * True for what is no plain relative path of a file: absolute, with `..`, a drive, a backslash, or in a `.git`, whose
 * files are programs to git. Checked for whatever is read from a project before it is used as a path.
 */
export function leavesProject(path: string): boolean {
  return /[\\:\0]|(^|\/)(\.{0,2}|\.git|git~\d+)(\/|$)/i.test(path);
}
