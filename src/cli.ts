import { type Command, CommanderError } from 'commander';
import { methodsInstead } from './answers/flags.js';
import { questionsFrom } from './answers/questions.js';
import type { Catalog } from './catalog/catalog.js';
import { ownCatalog } from './catalog/own-catalog.js';
import { commandLine } from './command-line.js';
import { commandNames, refuseMistypedCommand } from './commands/command-names.js';
import type { Document } from './documents.js';
import { pendingExitCode, systemCode, UserError } from './errors.js';
import { listenForInterrupts } from './interrupt.js';
import { nearest } from './nearest.js';

/** Runs the command line and sets the exit code. */
export async function main(argv: string[]): Promise<void> {
  listenForInterrupts();
  listenForUnwritable();
  try {
    const catalog = ownCatalog();
    const [word = ''] = argv;
    // Before commander, which would first refuse the arguments and flags of the command that was meant.
    if (!word.startsWith('-') && !commandNames.includes(word)) refuseMistypedCommand(word);
    const root = commandLine(catalog);
    await root.parseAsync(argv, { from: 'user' }).catch((error) => {
      if (!(error instanceof CommanderError)) throw error;
      // Help and the version end in one too.
      if (error.exitCode !== 0) throw asUserError(error, argv, catalog, root);
    });
  } catch (error) {
    process.exitCode = reportError(isWithoutFolder(error) ? folderGone : error, argv);
  }
}

/**
 * A reader such as `head` may stop reading: files that are being written are finished anyway. A result that could
 * not be printed, for example to a full disk, is an error.
 */
function listenForUnwritable(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  let isReported = false;
  process.stdout.on('error', (error) => {
    const code = systemCode(error) ?? error.message;
    if (isReported || code === 'EPIPE') return;
    isReported = true;
    process.stderr.write(`Standard output could not be written (${code}): it is incomplete.\n`);
    process.once('exit', () => {
      // Something still waits for a decision: that exit code stays.
      if (process.exitCode !== pendingExitCode) process.exitCode = 1;
    });
  });
}

/**
 * What commander says, with a remedy that fits the command.
 * @throws UserError if a command comes after flags: commander takes it for an argument of `create`
 */
function asUserError(
  error: CommanderError,
  [command = '', word = '']: string[],
  catalog: Catalog,
  root: Command,
): UserError {
  if (error.code === 'commander.help') {
    const meant = nearest(word, commandNames);
    return new UserError(
      `There is no command ${JSON.stringify(word)}.`,
      meant ? `Did you mean ${meant}?` : 'See npx create-auth-service --help.',
    );
  }
  const named = root.commands.find((each) => each.name() === command);
  const create = root.commands.find((each) => each.name() === 'create');
  const late = named ? undefined : create?.args.find((each) => commandNames.includes(each));
  if (late) refuseMistypedCommand(late);
  const [message = '', suggested = ''] = error.message
    .replace(/^error: /, '')
    .split('\n')
    .map(asSentence);
  const seeHelp = `See ${['npx create-auth-service', ...(named ? [command] : [])].join(' ')} --help.`;
  // Commander also suggests flags of `create`, to every command.
  const flags = named?.options.map(({ long }) => `${long}`);
  const isOther = flags && suggested.match(/--[\w-]+/g)?.some((flag) => !flags.includes(flag));
  const takesPath = !named || command === 'create';
  const [flag = ''] = /--no-[\w-]+/.exec(message) ?? [];
  const methods = takesPath && methodsInstead(questionsFrom(catalog), flag);
  if (methods) return new UserError(message, methods);
  const remedy = error.code === 'commander.excessArguments' && takesPath ? withQuotes : '';
  return new UserError(message, (!isOther && suggested) || `${remedy}${seeHelp}`);
}

const withQuotes = 'A path with spaces needs quotes. ';

/** Commander's messages begin with a small letter, have no full stop and put suggestions in brackets. */
function asSentence(text: string): string {
  const [first = '', ...rest] = text.replace(/^\((.*)\)$/, '$1');
  return `${first.toUpperCase()}${rest.join('')}`.replace(/(?<![.?!])$/, '.');
}

const folderGone = new UserError('The current folder no longer exists.', 'cd into one.');

/** True for Node's error when the working directory has been removed. */
function isWithoutFolder(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd';
}

const issuesPage = 'https://www.npmjs.com/package/create-auth-service';

/**
 * Prints an error for people on stderr, and with `--json` as a document on stdout.
 * @returns the exit code: the error's own, or 1 for a bug
 */
function reportError(error: unknown, argv: readonly string[]): number {
  if (argv.includes('--json')) {
    process.stdout.write(`${JSON.stringify(errorDocument(error), null, 2)}\n`);
  }
  process.stderr.write(`${errorText(error, argv.includes('--verbose'))}\n`);
  return error instanceof UserError ? error.exitCode : 1;
}

function errorText(error: unknown, isVerbose: boolean): string {
  if (error instanceof UserError) return [error.message, error.hint].filter(Boolean).join('\n');
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return [
    `Unexpected error: ${message}`,
    `This is a bug in create-auth-service, please report it: ${issuesPage}`,
    isVerbose ? stack : 'Use --verbose to see its stack trace.',
  ].join('\n');
}

function errorDocument(error: unknown): Document<'error'> {
  if (error instanceof UserError) return { error: { message: error.message, hint: error.hint } };
  return { error: { message: error instanceof Error ? error.message : String(error), bug: true } };
}
