import type { Argument, Command, Option } from 'commander';
import { nothing } from '../answers/flags.js';
import { flagOf, type Question } from '../answers/questions.js';

/** A command as a shell completes it. */
export interface DescribedCommand {
  name: string;
  description: string;
  options: DescribedOption[];
  takes: DescribedValue[];
}

export interface DescribedOption {
  /** As they are typed: `-y`, `--yes`. */
  names: string[];
  description: string;
  /** Undefined for a flag without a value. */
  value: DescribedValue | undefined;
}

/** The words that can be typed in one place. */
export interface DescribedValue {
  kind: 'words' | 'list of words' | 'path' | 'text';
  words: string[];
  /** True for an argument that can be given several times. */
  isRepeated: boolean;
}

/** Which words a positional argument takes, by its name in the command's declaration. */
type ArgumentWords = Record<string, string[]>;

/** The command that runs if none is named. */
export const standardCommand = 'create';

const pathNames = /^(file|directory|paths?)$/;

/**
 * The commands of a program with everything that can be typed after them.
 * @param questions provide the values of their flags
 */
export function describeCommands(
  root: Command,
  questions: Question[],
  words: ArgumentWords,
): DescribedCommand[] {
  return root.commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    options: [...root.options, ...command.createHelp().visibleOptions(command)].map((option) =>
      describeOption(option, questions),
    ),
    takes: command.registeredArguments.map((argument) => describeArgument(argument, words)),
  }));
}

function describeOption(option: Option, questions: Question[]): DescribedOption {
  return {
    names: [option.short, option.long].filter((name) => name !== undefined),
    description: option.description,
    value: valueAfter(option, questions),
  };
}

function valueAfter({ flags, long }: Option, questions: Question[]): DescribedValue | undefined {
  const placeholder = /[<[]([\w-]+)[>\]]/.exec(flags)?.[1];
  if (placeholder === undefined) return undefined;
  const question = questions.find((each) => flagOf(each) === long);
  const none = question?.needsOne === false ? [nothing] : [];
  const words = [...(question?.choices ?? []).map(({ value }) => value), ...none];
  const kind = question?.kind === 'several' ? 'list of words' : kindOf(placeholder, words);
  return { kind, words, isRepeated: false };
}

function describeArgument(argument: Argument, known: ArgumentWords): DescribedValue {
  const words = known[argument.name()] ?? [];
  return { kind: kindOf(argument.name(), words), words, isRepeated: argument.variadic };
}

function kindOf(name: string, words: string[]): DescribedValue['kind'] {
  if (words.length > 0) return 'words';
  return pathNames.test(name) ? 'path' : 'text';
}
