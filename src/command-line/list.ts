import type { Command } from 'commander';
import type { Catalog } from '../catalog/catalog.js';
import { withOutputFlags } from './output-flags.js';

const examples = `
Examples:
  create-auth-service list
  create-auth-service list --json
`;

export function declareList(root: Command, catalog: Catalog): void {
  withOutputFlags(root.command('list'))
    .description('show what can be chosen')
    .addHelpText('after', examples)
    .action(async (flags) => (await import('../commands/list.js')).list(catalog, flags));
}
