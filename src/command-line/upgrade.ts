import type { Command } from 'commander';
import type { Catalog } from '../catalog/catalog.js';
import { withChangeFlags } from './change-flags.js';
import { withOutputFlags } from './output-flags.js';

const examples = `
Examples:
  create-auth-service upgrade --dry-run           what it would do; writes nothing
  create-auth-service upgrade --dry-run --diff    the same as a patch
  create-auth-service upgrade                     does it
  create-auth-service upgrade --continue          after conflicts, when they are resolved
  create-auth-service upgrade --abort             after conflicts, back to how it was
`;

export function declareUpgrade(root: Command, catalog: Catalog): void {
  withChangeFlags(withOutputFlags(root.command('upgrade')))
    .description('bring newer templates into your code, without losing what you changed')
    .option('--continue', 'end an upgrade that had conflicts, once they are resolved')
    .option('--abort', 'undo an upgrade that has conflicts')
    .addHelpText('after', examples)
    .action(async (flags) => {
      const command = await import('../commands/upgrade.js');
      process.exitCode = await command.upgrade(catalog, flags);
    });
}
