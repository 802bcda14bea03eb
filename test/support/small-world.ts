import { type CliOptions, runCli, scratchFolder, startCli } from './cli.js';
import type { Files } from './files.js';
import { sharedPackage, smallTemplates } from './small-package.js';

/**
 * A folder to work in, and the command with small templates. Nothing is installed or committed unless a test says so.
 */
export function smallWorld(templates: Files = smallTemplates) {
  const cwd = scratchFolder();
  const bin = sharedPackage(templates);
  const at = (options: Partial<CliOptions>) => ({ cwd, bin, ...options });
  return {
    cwd,
    bin,
    /** Runs the command with these arguments. */
    run: (args: string[], options: Partial<CliOptions> = {}) => runCli(args, at(options)),
    /** Creates a project with the defaults. */
    create: (args: string[], options: Partial<CliOptions> = {}) =>
      runCli([...args, '--yes', '--no-install', '--no-git'], at(options)),
    start: (args: string[], options: Partial<CliOptions> = {}) => startCli(args, at(options)),
  };
}
