import { UserError } from '../errors.js';
import { editDistance } from '../nearest.js';

/** Every command that there is: their names are no directories. */
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

// Two of the three letters of `add` would refuse every `api` and `app`.
function lettersApart(name: string): number {
  return name.length > 3 ? 2 : 1;
}

/**
 * Takes the word for a directory only if it cannot be meant for a command.
 * @throws UserError for a word one or two letters away from a command
 */
export function refuseMistypedCommand(word: string): void {
  if (/[/\\]/.test(word) || word === '.' || word === '..') return;
  const meant = commandNames
    .map((name) => ({ name, distance: editDistance(word.toLowerCase(), name) }))
    .filter(({ name, distance }) => distance <= lettersApart(name))
    .sort((a, b) => a.distance - b.distance)[0];
  if (meant) {
    throw new UserError(
      meant.name === word
        ? `${word} is a command, and comes first.`
        : `There is no command ${JSON.stringify(word)}. Did you mean ${meant.name}?`,
      1,
      `A directory of this name is given as ./${word}`,
    );
  }
}
