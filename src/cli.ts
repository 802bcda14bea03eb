import { Command, CommanderError } from 'commander';
import type { Catalog } from './catalog/catalog.js';
import { ownCatalog } from './catalog/own-catalog.js';
import { declareAdd } from './command-line/add.js';
import { declareChange } from './command-line/change.js';
import { declareCompletion } from './command-line/completion.js';
import { createExamples, declareCreate } from './command-line/create.js';
import { declareDiff } from './command-line/diff.js';
import { declareDoctor } from './command-line/doctor.js';
import { declareList } from './command-line/list.js';
import { declareRegenerate } from './command-line/regenerate.js';
import { declareRemove } from './command-line/remove.js';
import { declareUpgrade } from './command-line/upgrade.js';
import { UserError } from './errors.js';
import { listenForInterrupts } from './interrupt.js';
import { generatorVersion } from './package-root.js';
import { reportError } from './report-error.js';

/** Runs the command line and sets the exit code. */
export async function main(argv: string[]): Promise<void> {
  listenForInterrupts();
  // Whoever reads may stop reading, as `head` does.
  process.stdout.on('error', () => process.exit());
  try {
    await program(await ownCatalog()).parseAsync(argv, { from: 'user' });
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

  const create = declareCreate(root, catalog);
  declareList(root, catalog);
  declareAdd(root, catalog);
  declareRemove(root, catalog);
  declareChange(root, catalog);
  declareUpgrade(root, catalog);
  declareRegenerate(root, catalog);
  declareDiff(root, catalog);
  declareDoctor(root, catalog);
  declareCompletion(root, catalog);

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

function asUserError(error: unknown): unknown {
  if (isWithoutFolder(error)) {
    return new UserError(
      'The folder that this runs in does not exist any more.',
      1,
      'cd into one.',
    );
  }
  if (!(error instanceof CommanderError)) return error;
  const [message = '', hint] = error.message.replace(/^error: /, '').split('\n');
  return new UserError(message, 1, hint ?? 'See create-auth-service --help.');
}

/** What Node says where somebody has removed the working directory. */
function isWithoutFolder(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd';
}
