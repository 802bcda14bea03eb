import { type PackageManagerName, packageManagers } from '../answers/package-managers.js';
import { interruptible } from '../interrupt.js';
import type { Terminal } from '../terminal.js';
import { withProgress } from './progress.js';

const shownLines = 20;

/** Whether the dependencies are there; if not, the last lines that the package manager printed. */
export interface Installed {
  problem?: string;
}

/**
 * Installs the project's dependencies.
 * @param whenInterrupted runs before the process ends, if a signal ends it meanwhile
 */
export async function installDependencies(
  folder: string,
  packageManager: PackageManagerName,
  whenInterrupted: () => void,
  terminal: Terminal,
): Promise<Installed> {
  const { execa } = await import('execa');
  const [file = '', ...args] = packageManagers[packageManager].install.split(' ');
  const show = terminal.isVerbose ? [terminal.output, 'pipe' as const] : 'pipe';
  const run = () =>
    execa(file, args, {
      cwd: folder,
      all: true,
      reject: false,
      stdin: 'ignore',
      stdout: show,
      stderr: show,
    });
  const result = await interruptible(whenInterrupted, () =>
    withProgress(terminal, `Installing with ${packageManager}`, run),
  );
  if (!result.failed) return {};
  if (result.code === 'ENOENT') return { problem: `${file} is not installed.` };
  const printed = (result.all ?? '').trimEnd().split('\n').slice(-shownLines).join('\n');
  return { problem: printed || `${file} ended with exit code ${result.exitCode}.` };
}
