const executable = 0o111;

/**
 * The mode of a merged file. Only who may execute it is merged, where a change of the template wins. All other bits are
 * the team's, because they come from its umask.
 */
export function mergeMode(base: number, yours: number, theirs: number): number {
  const isChanged = isExecutable(base) !== isExecutable(theirs);
  if (!isChanged) return yours;
  if (!isExecutable(theirs)) return yours & ~executable;
  // Whoever may read may execute.
  return yours | ((yours >> 2) & executable);
}

function isExecutable(mode: number): boolean {
  return (mode & 0o100) !== 0;
}
