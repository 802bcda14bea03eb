import { Command, CommanderError } from 'commander';
import { answerFlags } from './answers/flags.js';
import { answersSchema } from './answers/schema.js';
import { type Catalog, readCatalog } from './catalog/read-catalog.js';
import { refuseMistypedCommand } from './commands/command-names.js';
import { UserError } from './errors.js';
import { listenForInterrupts } from './interrupt.js';
import { generatorVersion, templatesFolder } from './package-root.js';
import { reportError } from './report-error.js';

const createExamples = `
Examples:
  create-auth-service                            asks for everything
  create-auth-service my-auth --yes              takes the defaults
  create-auth-service my-auth --yes --dry-run    shows the files, writes nothing
  create-auth-service my-auth --config auth.json takes the answers from a file
`;

const listExamples = `
Examples:
  create-auth-service list
  create-auth-service list --json
`;

/** Runs the command line and sets the exit code. */
export async function main(argv: string[]): Promise<void> {
  listenForInterrupts();
  // Whoever reads may stop reading, as `head` does.
  process.stdout.on('error', () => process.exit());
  try {
    await program(readCatalog(templatesFolder)).parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return;
    process.exitCode = reportError(asUserError(error), argv);
  }
}

function program(catalog: Catalog): Command {
  const root = new Command('create-auth-service')
    .description('Makes a complete TypeScript authentication service that your team owns.')
    .version(generatorVersion())
    .exitOverride()
    // Errors are printed in one place, `reportError`.
    .configureOutput({ outputError: () => undefined });

  const create = withOutputFlags(root.command('create [directory]', { isDefault: true }))
    .description('make a service; this is what happens without a command')
    .addHelpText('after', createExamples);
  for (const flag of answerFlags(answersSchema(catalog))) create.addOption(flag);
  create
    .option('--config <file>', 'take answers from a JSON file, - is standard input')
    .option('-y, --yes', 'take the defaults for what is open')
    .option('--no-install', 'do not install dependencies')
    .option('--no-git', 'make no git repository')
    .option('--force', 'write into a folder that is not empty')
    .option('--dry-run', 'show what would be written')
    .option('--diff', 'with --dry-run: as a patch')
    .action(async (directory, flags) => {
      if (directory !== undefined) refuseMistypedCommand(directory);
      const command = await import('./commands/create.js');
      process.exitCode = await command.create(catalog, directory, flags);
    });

  withOutputFlags(root.command('list'))
    .description('show what can be chosen')
    .addHelpText('after', listExamples)
    .action(async (flags) => (await import('./commands/list.js')).list(catalog, flags));

  // Without a command it is `create`, so its flags belong to the first help that people see.
  return root
    .usage('[directory] [options]\n       create-auth-service <command> [options]')
    .configureHelp({
      visibleOptions: (command) => [
        ...command.options,
        ...(command === root ? create.options : []),
      ],
    })
    .addHelpText('after', createExamples);
}

function withOutputFlags(command: Command): Command {
  return command
    .option('--json', 'print one JSON document, all else on stderr')
    .option('--quiet', 'print errors only')
    .option('--verbose', 'print more')
    .option('--no-color', 'print without colors');
}

function asUserError(error: unknown): unknown {
  if (!(error instanceof CommanderError)) return error;
  const [message = '', hint] = error.message.replace(/^error: /, '').split('\n');
  return new UserError(message, 1, hint ?? 'See create-auth-service --help.');
}
