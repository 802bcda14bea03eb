import { spawnSync } from 'node:child_process';

/** Named as Debian names their packages. */
export const testedShells = ['bash', 'zsh', 'fish'];

export function hasShell(name: string): boolean {
  return spawnSync(name, ['-c', 'true']).status === 0;
}
