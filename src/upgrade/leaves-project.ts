/**
 * True for what is no plain relative path of a file: absolute, with `..`, a drive, a backslash, or in a `.git`, whose
 * files are programs to git. Checked for whatever is read from a project before it is used as a path.
 */
export function leavesProject(path: string): boolean {
  const steps = path.split('/');
  return (
    /[\\:\0]/.test(path) ||
    steps.some((step) => ['', '.', '..'].includes(step) || /^(\.git|git~\d+)$/i.test(step))
  );
}
