import type { Command } from 'commander';
import type { Catalog } from '../catalog/catalog.js';
import { withOutputFlags } from './output-flags.js';

const examples = `
Examples:
  create-auth-service diff                       what you changed
  create-auth-service diff src/session           in these files only
  create-auth-service diff > ours.patch          as a patch
  create-auth-service diff --upstream            what an upgrade would bring
  create-auth-service diff --check src/db        exit code 3 if somebody changed them
`;

export function declareDiff(root: Command, catalog: Catalog): void {
  withOutputFlags(root.command('diff [paths...]'))
    .description('show what you changed against the text that was emitted')
    .option('--upstream', 'show what an upgrade would bring instead')
    .option('--check', 'exit with 3 if there is a difference')
    .option('--no-pager', 'print without a pager')
    .addHelpText('after', examples)
    .action(async (paths, flags) => {
      process.exitCode = flags.upstream
        ? await (await import('../commands/diff-upstream.js')).diffUpstream(catalog, paths, flags)
        : await (await import('../commands/diff.js')).diff(catalog, paths, flags);
    });
}
