import { Command } from 'commander';
import { answerFlags, type FlagValues } from '../../src/answers/flags.js';
import { completed } from '../../src/answers/request.js';
import { givenAnswers } from '../../src/answers/resolve.js';
import { type Answers, answersSchema, questionsOf } from '../../src/answers/schema.js';
import { readCatalog } from '../../src/catalog/read-catalog.js';
import { templatesFolder } from '../../src/package-root.js';

/**
 * Answers from the flags of `create`, the defaults for what they leave open.
 * @returns also the values of the flags, those of `more` among them
 * @throws UserError for a value that does not exist
 */
export function answersOf(
  name: string,
  argv: string[],
  more: (command: Command) => Command,
): { answers: Answers; flags: FlagValues } {
  const schema = answersSchema(readCatalog(templatesFolder));
  const command = more(new Command(name)).option(
    '--config <file>',
    'take answers from a JSON file',
  );
  for (const flag of answerFlags(questionsOf(schema))) command.addOption(flag);
  const flags = command.parse(argv, { from: 'user' }).opts<FlagValues>();
  return { answers: completed(schema, givenAnswers(schema, flags), name).answers, flags };
}
