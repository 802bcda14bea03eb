import type { Catalog } from '../catalog/catalog.js';
import { UserError } from '../errors.js';
import type { Terminal } from '../terminal.js';
import { answersFromFlags, checkAnswers } from './check.js';
import { configName, possibleAnswers, readConfig } from './config-file.js';
import { defaultsFor } from './defaults.js';
import { type FlagValues, featuresLeftOut } from './flags.js';
import { flagOf, type GivenAnswers, type Question } from './questions.js';
import { completed, needlessAnswers, openSteps, type Request, type Step } from './request.js';

/**
 * What the command line and the `--config` file say; a flag beats the file. Leaving out a feature by `--no-<feature>`
 * chooses all others that fit.
 */
export async function givenAnswers(
  questions: Question[],
  flags: FlagValues,
): Promise<{ given: GivenAnswers; remarks: string[] }> {
  const file = typeof flags.config === 'string' ? await readConfig(questions, flags.config) : {};
  const unwanted = featuresLeftOut(questions, flags);
  const fromFlags = answersFromFlags(questions, flags);
  const both = unwanted.find((name) => fromFlags.features?.includes(name));
  if (both) throw new UserError(`--features names ${both}, and --no-${both} leaves it out.`);
  const { fromFile, remarks: left } = possibleAnswers(questions, file, fromFlags, unwanted);
  const needed = withNeeded(questions, { ...fromFile, ...fromFlags }, unwanted);
  const { given } = needed;
  const added = [...left, ...needed.remarks];
  if (unwanted.length === 0) return { given, remarks: added };
  const { defaults, remarks } = defaultsFor(questions, given, unwanted);
  const { features = [] } = checkAnswers(questions, { ...defaults, ...given });
  const wanted = features.filter((name) => !unwanted.includes(name));
  return { given: { ...given, features: wanted }, remarks: [...added, ...remarks] };
}

/**
 * Adds what a choice needs, if the same question offers it. What another question offers is not added: somebody has to
 * agree to a way of signing in.
 */
function withNeeded(questions: Question[], given: GivenAnswers, unwanted: string[]) {
  const remarks: string[] = [];
  const answers: Record<string, unknown> = { ...given };
  for (const { key, choices } of questions) {
    const chosen = answers[key];
    if (!Array.isArray(chosen)) continue;
    const all = new Set<unknown>(chosen);
    const wanted = choices.filter(
      ({ value }) => chosen.includes(value) && !unwanted.includes(value),
    );
    for (const { value, needs } of wanted) {
      for (const need of needs) {
        const isOffered = choices.some((choice) => choice.value === need);
        if (!isOffered || all.has(need) || unwanted.includes(need)) continue;
        all.add(need);
        remarks.push(`${need} is added: ${value} needs it.`);
      }
    }
    answers[key] = [...all];
  }
  return { given: checkAnswers(questions, answers), remarks };
}

/**
 * Completes the given answers: by asking if somebody can answer, by the defaults with `--yes`.
 * @throws UserError if something is answered about a layer that is not chosen, or if answers are open, nobody can be
 *   asked and `--yes` is missing
 */
export async function resolveRequest(
  catalog: Catalog,
  questions: Question[],
  directory: string | undefined,
  flags: FlagValues,
  terminal: Terminal,
): Promise<Request> {
  const { given, remarks } = await givenAnswers(questions, flags);
  const request = completed(questions, given, directory);
  const open = openSteps(questions, given, directory, request.answers);
  const isAsking = open.length > 0 && flags.yes !== true;
  const needless = needlessAnswers(questions, { ...request.answers, ...given }).find(
    (each) => !isAsking || isDecided(each, questions, given),
  );
  if (needless) throw contradictory(needless, flags);
  if (isAsking) {
    // Standard input that was read to its end brings no further answers, from a terminal neither.
    if (!terminal.isInteractive || flags.config === '-') throw refuseToGuess(questions, open);
    const { askOpenAnswers } = await import('./ask.js');
    const end = flags.dryRun === true ? 'Showing the project.' : 'Creating the project.';
    const draft = { catalog, questions, directory, given, isForced: flags.force === true, end };
    const asked = await askOpenAnswers(draft, terminal.output);
    return { ...asked, remarks: eachOnce([...remarks, ...asked.remarks]) };
  }
  return { ...request, remarks: eachOnce([...remarks, ...request.remarks]) };
}

const eachOnce = (remarks: string[]) => [...new Set(remarks)];

/** True if the question that offers the layer of this one is not open. */
function isDecided({ onlyWith }: Question, questions: Question[], given: GivenAnswers): boolean {
  return questions.some(
    ({ key, choices }) => key in given && choices.some(({ value }) => value === onlyWith),
  );
}

/** Something is answered about a layer that is not chosen. */
function contradictory(needless: Question, flags: FlagValues): UserError {
  const { key, title, onlyWith } = needless;
  const where = key in flags ? flagOf(needless) : `${key} in ${configName(flags.config)}`;
  return new UserError(
    `${title}: ${onlyWith} is not chosen.`,
    `Choose ${onlyWith}, or leave out ${where}.`,
  );
}

function refuseToGuess(questions: Question[], open: Step[]): UserError {
  const flags = questions.filter(({ key }) => open.includes(key)).map(flagOf);
  const named = open.includes('directory') ? ['the directory', ...flags] : flags;
  return new UserError(
    `These answers are missing, and there is no terminal to ask for them: ${named.join(', ')}.`,
    'Give them, or take the defaults with --yes.',
  );
}
