import type { Command } from 'commander';
import { answerFlags } from '../answers/flags.js';
import { inOrder, questionsFrom } from '../answers/questions.js';
import type { Catalog } from '../catalog/catalog.js';
import { refuseMistypedCommand } from '../commands/command-names.js';
import { withOutputFlags } from './output-flags.js';

export const createExamples = `
Examples:
  create-auth-service                            asks for everything
  create-auth-service my-auth --yes              takes the defaults
  create-auth-service my-auth --yes --dry-run    shows the files, writes nothing
  create-auth-service my-auth --config auth.json takes the answers from a file
`;

export function declareCreate(root: Command, catalog: Catalog): Command {
  const create = withOutputFlags(root.command('create [directory]', { isDefault: true }))
    .description('make a service; this is what happens without a command')
    .addHelpText('after', createExamples);
  for (const flag of answerFlags(inOrder(questionsFrom(catalog)))) create.addOption(flag);
  return create
    .option('--config <file>', 'take answers from a JSON file, - is standard input')
    .option('-y, --yes', 'take the defaults for what is open')
    .option('--no-install', 'do not install dependencies')
    .option('--no-git', 'make no git repository')
    .option('--force', 'write into a folder that is not empty')
    .option('--dry-run', 'show what would be written')
    .option('--diff', 'with --dry-run: as a patch')
    .action(async (directory, flags) => {
      if (directory !== undefined) refuseMistypedCommand(directory);
      const command = await import('../commands/create.js');
      process.exitCode = await command.create(catalog, directory, flags);
    });
}
