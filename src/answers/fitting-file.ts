import { fittingDefaults, misfitOf } from './defaults.js';
import { idleQuestions } from './request.js';
import { type AnswersSchema, type GivenAnswers, questionsOf } from './schema.js';

/**
 * The answers of a file that no flag overrides, without those that the flags have made impossible, and a sentence about
 * each of these. A file that is impossible by itself stays as it is, to be refused.
 */
export function fittingFile(
  schema: AnswersSchema,
  file: GivenAnswers,
  given: GivenAnswers,
  unwanted: string[],
): { fromFile: GivenAnswers; remarks: string[] } {
  if (!isPossible(schema, file)) return { fromFile: file, remarks: [] };
  const { defaults, remarks } = fittingDefaults(schema, given, unwanted, file);
  const idle = idleQuestions(schema, { ...defaults, ...given }).filter(([key]) => key in file);
  const fitting = Object.entries(file)
    .filter(([key]) => !idle.some(([name]) => name === key))
    .map(([key, answer]) => [key, Array.isArray(answer) ? defaults[key] : answer]);
  const useless = idle.map(
    ([key, { onlyWith }]) => `${key} is left out: it needs ${onlyWith}, which is not chosen.`,
  );
  return { fromFile: Object.fromEntries(fitting), remarks: [...remarks, ...useless] };
}

function isPossible(schema: AnswersSchema, file: GivenAnswers): boolean {
  const all = { ...fittingDefaults(schema, file).defaults, ...file };
  const chosen = Object.values(all).flat();
  const isMisfit = questionsOf(schema).some(([key, { choices }]) =>
    choices.some((each) => [file[key]].flat().includes(each.value) && misfitOf(each, chosen)),
  );
  return !isMisfit && !idleQuestions(schema, all).some(([key]) => key in file);
}
