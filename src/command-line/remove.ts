import type { Command } from 'commander';
import type { Catalog } from '../catalog/catalog.js';
import { withChangeFlags } from './change-flags.js';
import { withOutputFlags } from './output-flags.js';

const examples = `
Examples:
  create-auth-service remove <name>              its tables stay, with their data
  create-auth-service remove <name> --drop-data  a migration drops them when it runs
  create-auth-service remove <name> --dry-run    what it would do; writes nothing
`;

export function declareRemove(root: Command, catalog: Catalog): void {
  withChangeFlags(withOutputFlags(root.command('remove <names...>')))
    .description('remove methods, features and choices; what you edited stays and is named')
    .option('--drop-data', 'bring a migration that drops their tables')
    .option('-y, --yes', 'do not ask before that')
    .addHelpText('after', examples)
    .action(async (names, flags) => {
      const command = await import('../commands/remove.js');
      process.exitCode = await command.remove(catalog, names, flags);
    });
}
