import type { Command } from 'commander';
import type { Catalog } from '../catalog/catalog.js';
import { withChangeFlags } from './change-flags.js';
import { withOutputFlags } from './output-flags.js';

export function declareAdd(root: Command, catalog: Catalog): void {
  const examples = `
Examples, with names from create-auth-service list:
  create-auth-service add <name>                 with all that it needs
  create-auth-service add <name> <name>          several at once
  create-auth-service add <name> --dry-run       what it would do; writes nothing
`;
  withChangeFlags(withOutputFlags(root.command('add <names...>')))
    .description('add methods, features and choices to your code, without losing what you changed')
    .addHelpText('after', examples)
    .action(async (names, flags) => {
      const command = await import('../commands/add.js');
      process.exitCode = await command.add(catalog, names, flags);
    });
}
