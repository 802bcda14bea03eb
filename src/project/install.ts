import { type PackageManagerName, packageManagers } from '../answers/package-managers.js';
import { interruptible } from '../interrupt.js';
import type { Terminal } from '../terminal.js';
import { withProgress } from './progress.js';
import { run } from './run.js';

const shownLines = 20;

/** Whether the dependencies are installed; if not, the last lines that the package manager printed. */
export interface Installed {
  problem?: string;
}

/**
 * Installs the project's dependencies.
 * @param whenInterrupted runs before the process ends if a signal ends it during the installation
 */
export async function installDependencies(
  folder: string,
  packageManager: PackageManagerName,
  whenInterrupted: () => void,
  terminal: Terminal,
): Promise<Installed> {
  const { install: command, setup } = packageManagers[packageManager];
  const [file = '', ...args] = command.split(' ');
  const echo = terminal.isVerbose ? terminal.output : undefined;
  const install = () => run(file, args, { cwd: folder, echo });
  const { exitCode, output } = await interruptible(whenInterrupted, () =>
    withProgress(terminal, `Installing with ${packageManager}`, install),
  );
  if (exitCode === 0) return {};
  if (exitCode === undefined)
    return { problem: `${file} is not installed. Install it with: ${setup}` };
  const lastLines = output.trimEnd().split('\n').slice(-shownLines).join('\n');
  return { problem: lastLines || `${file} ended with exit code ${exitCode}.` };
}
