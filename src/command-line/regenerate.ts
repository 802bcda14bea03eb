import type { Command } from 'commander';
import type { Catalog } from '../catalog/catalog.js';
import { withChangeFlags } from './change-flags.js';
import { withOutputFlags } from './output-flags.js';

const examples = `
Examples:
  create-auth-service regenerate src/http/cors.ts    one file as it was emitted
  create-auth-service regenerate src/session         a folder
  create-auth-service regenerate --yes               all of them
`;

export function declareRegenerate(root: Command, catalog: Catalog): void {
  withChangeFlags(withOutputFlags(root.command('regenerate [paths...]')))
    .description('give files the text back that was emitted')
    .option('-y, --yes', 'without a path: replace all')
    .addHelpText('after', examples)
    .action(async (paths, flags) => {
      const command = await import('../commands/regenerate.js');
      process.exitCode = await command.regenerate(catalog, paths, flags);
    });
}
