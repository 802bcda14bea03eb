import { Command, Help, InvalidArgumentError } from 'commander';
import { answerFlags } from './answers/flags.js';
import { questionsFrom } from './answers/questions.js';
import type { Catalog } from './catalog/catalog.js';
import { refuseMistypedCommand } from './commands/command-names.js';
import { examples } from './examples.js';
import { generatorVersion } from './package-root.js';

/** The list of commands, with their flags and their help. What a command does is loaded when it is called. */
export function commandLine(catalog: Catalog): Command {
  const root = new Command('create-auth-service')
    .description('Creates a complete TypeScript authentication service that your team owns.')
    .version(generatorVersion())
    .exitOverride()
    // Errors are printed in one place, `reportError`.
    .configureOutput({ outputError: () => undefined, writeErr: () => undefined });
  const flags = answerFlags(questionsFrom(catalog));

  const create = withOutput(root.command('create [directory]', { isDefault: true }))
    .description('create a service (the default command)')
    .addHelpText('after', examples.create);
  for (const flag of flags) create.addOption(flag);
  create
    .option('--config <file>', 'read answers from a JSON file; - is standard input')
    .option('-y, --yes', 'take the defaults for open questions')
    .option('--no-install', 'do not install dependencies')
    .option('--no-git', 'create no git repository')
    .option('--force', 'write into a folder that is not empty')
    .option('--dry-run', 'show what would be written')
    .option('--diff', 'with --dry-run: as a patch')
    .action(async (directory, given) => {
      if (directory !== undefined) refuseMistypedCommand(directory);
      const command = await import('./commands/create.js');
      process.exitCode = await command.create(catalog, directory, given);
    });

  withOutput(root.command('list'))
    .description('show what can be chosen')
    .addHelpText('after', examples.list)
    .action(async (given) => (await import('./commands/list.js')).list(catalog, given));

  withChange(withOutput(root.command('add <names...>')))
    .description('add methods, features and choices to your code, without losing what you changed')
    .addHelpText('after', examples.add)
    .action(async (names, given) => {
      const command = await import('./commands/add-and-remove.js');
      process.exitCode = await command.add(catalog, names, given);
    });

  withChange(withOutput(root.command('remove <names...>')), 'do not ask for confirmation')
    .description('remove methods, features and choices; files that you edited stay and are listed')
    .option('--drop-data', 'add a migration that drops their tables')
    .addHelpText('after', examples.remove)
    .action(async (names, given) => {
      const command = await import('./commands/add-and-remove.js');
      process.exitCode = await command.remove(catalog, names, given);
    });

  const change = withChange(withOutput(root.command('change')))
    .description('change the framework, the database, the package manager or the name')
    .addHelpText('after', examples.change);
  for (const flag of flags) if (changed.includes(flag.long ?? '')) change.addOption(flag);
  change.action(async (given) => {
    process.exitCode = await (await import('./commands/change.js')).change(catalog, given);
  });

  withChange(withOutput(root.command('upgrade')))
    .description('merge newer templates into your code, without losing what you changed')
    .option('--continue', 'finish an upgrade that had conflicts, once they are resolved')
    .option('--abort', 'undo an upgrade that has conflicts')
    .addHelpText('after', examples.upgrade)
    .action(async (given) => {
      const command = await import('./commands/upgrade.js');
      process.exitCode = await command.upgrade(catalog, given);
    });

  withChange(withOutput(root.command('regenerate [paths...]')), 'without a path: replace all')
    .description('restore the emitted text of files')
    .addHelpText('after', examples.regenerate)
    .action(async (paths, given) => {
      const command = await import('./commands/regenerate.js');
      process.exitCode = await command.regenerate(catalog, paths, given);
    });

  withOutput(root.command('diff [paths...]'))
    .description('show what you changed compared with the emitted text')
    .option('--upstream', 'show what an upgrade would bring instead')
    .option('--check', 'exit with 3 if there is a difference')
    .option('--no-pager', 'print without a pager')
    .addHelpText('after', examples.diff)
    .action(async (paths, given) => {
      process.exitCode = given.upstream
        ? await (await import('./commands/diff-upstream.js')).diffUpstream(catalog, paths, given)
        : await (await import('./commands/diff.js')).diff(catalog, paths, given);
    });

  withOutput(root.command('doctor'))
    .description('check a project for known problems')
    .option('--fix', 'restore pristine texts and checksum of the record, make .env private')
    .option('--no-run', 'do not run the script "check" of the project')
    .option('--wait <seconds>', 'how long "check" may take (default: 30)', secondsIn)
    .addHelpText('after', examples.doctor)
    .action(async (given) => {
      const command = await import('./commands/doctor.js');
      process.exitCode = await command.doctor(catalog, given);
    });

  root
    .command('completion <shell>')
    .description('print the completion script for bash, zsh or fish, for a global installation')
    .addHelpText('after', examples.completion)
    .action(async (shell) => {
      const command = await import('./commands/completion.js');
      command.completion(root, catalog, shell);
    });

  // Without a command it is `create`, so its flags belong to the first help that people see.
  return root
    .usage('[directory] [options]\n       create-auth-service <command> [options]')
    .configureHelp({
      visibleOptions: (command) => [
        ...new Help().visibleOptions(command),
        ...(command === root ? create.options : []),
      ],
    })
    .addHelpText('after', examples.create);
}

/** What a project can have several of is changed by `add` and `remove`. */
const changed = ['--name', '--framework', '--database', '--package-manager'];

/** Adds the flags about output, which every command takes but `completion`: a script has one form. */
function withOutput(command: Command): Command {
  return command
    .option('--json', 'print one JSON document, everything else on stderr')
    .option('--quiet', 'print errors only')
    .option('--verbose', 'print more')
    .option('--no-color', 'print without colors');
}

/** Adds the flags of every command that changes a project. @param yes what --yes means there */
function withChange(command: Command, yes = 'ask nothing'): Command {
  return command
    .option('-y, --yes', yes)
    .option('--dry-run', 'show what would be changed')
    .option('--diff', 'with --dry-run: as a patch')
    .option('--allow-dirty', 'continue despite uncommitted changes')
    .option('--commit', 'commit what was changed')
    .option('--no-moves', 'do not guess which files you have moved');
}

function secondsIn(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give a whole number of seconds.');
}
