import { UserError } from '../errors.js';
import { nearest } from '../nearest.js';

/** All commands: their names are not taken as directories. */
export const commandNames = [
  'create',
  'list',
  'add',
  'remove',
  'change',
  'upgrade',
  'regenerate',
  'diff',
  'doctor',
  'completion',
  'help',
];

// A distance of two from `add` would refuse every `api` and `app`.
function lettersApart(name: string): number {
  return name.length > 3 ? 2 : 1;
}

/**
 * Accepts the word as a directory only if it cannot be a mistyped command.
 * @throws UserError for a word one or two letters away from a command
 */
export function refuseMistypedCommand(word: string): void {
  const meant = commandMeantBy(word);
  if (meant === undefined) return;
  throw new UserError(
    meant === word
      ? `${word} is a command, and comes first.`
      : `There is no command ${JSON.stringify(word)}. Did you mean ${meant}?`,
    `For a directory of that name, type ./${word}`,
  );
}

/** The directory as an argument of the command line. */
export function asArgument(directory: string): string {
  return commandMeantBy(directory) ? `./${directory}` : directory;
}

function commandMeantBy(word: string): string | undefined {
  if (/[/\\]/.test(word) || word === '.' || word === '..') return undefined;
  return nearest(word, commandNames, lettersApart);
}
