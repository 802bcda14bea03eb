import { fittingDefaults, misfitOf } from './defaults.js';
import { type AnswersSchema, type GivenAnswers, isRelevant, questionsOf } from './schema.js';

/** The answers of a file that are used. */
interface Fitting {
  fromFile: GivenAnswers;
  /** A sentence about each answer that is left out. */
  remarks: string[];
}

/** What the flags say. */
interface Flags {
  given: GivenAnswers;
  /** Features left out by `--no-<feature>`. */
  unwanted: string[];
}

/**
 * The answers of a file that no flag overrides, without those that only a flag has made impossible. What is impossible
 * in the file itself stays, to be refused.
 */
export function fittingFile(schema: AnswersSchema, file: GivenAnswers, flags: Flags): Fitting {
  const alone = withDefaults(schema, file, []);
  const remarks: string[] = [];
  let fromFile = unbeaten(file, flags);
  // Another answer may need what is left out.
  for (;;) {
    const all = withDefaults(schema, { ...fromFile, ...flags.given }, flags.unwanted);
    const misfit = findMisfit(schema, fromFile, alone, all);
    if (!misfit) return { fromFile, remarks };
    const { rest, left, reason } = misfit;
    remarks.push(`${left} is left out: ${reason}.`);
    fromFile = rest;
  }
}

/** The answers of the file that no flag overrides. */
function unbeaten(file: GivenAnswers, { given, unwanted }: Flags): GivenAnswers {
  const open = Object.entries(file).filter(([key]) => !(key in given));
  const rest: GivenAnswers = Object.fromEntries(open);
  return rest.features
    ? { ...rest, features: rest.features.filter((name) => !unwanted.includes(name)) }
    : rest;
}

function withDefaults(
  schema: AnswersSchema,
  given: GivenAnswers,
  unwanted: string[],
): GivenAnswers {
  return { ...fittingDefaults(schema, given, unwanted).defaults, ...given };
}

/** An answer of the file that is possible with the file alone, and not with the flags. */
function findMisfit(
  schema: AnswersSchema,
  fromFile: GivenAnswers,
  alone: GivenAnswers,
  all: GivenAnswers,
) {
  for (const [key, question] of questionsOf(schema)) {
    const { [key]: answer, ...others } = fromFile;
    if (!Array.isArray(answer)) continue;
    if (!isRelevant(question, all) && isRelevant(question, alone)) {
      const reason = `it needs ${question.onlyWith}, which is not chosen`;
      return { rest: others, left: key, reason };
    }
    // The last one stays: its refusal explains what is wrong.
    if (question.needsOne && answer.length === 1) continue;
    for (const choice of question.choices.filter(({ value }) => answer.includes(value))) {
      const reason = misfitOf(choice, namesIn(all));
      if (!reason || misfitOf(choice, namesIn(alone))) continue;
      const left = choice.value;
      const rest = { ...others, [key]: answer.filter((value) => value !== left) };
      return { rest, left, reason };
    }
  }
  return undefined;
}

function namesIn(answers: GivenAnswers): string[] {
  return Object.values(answers).flat();
}
