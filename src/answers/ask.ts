import type { Catalog } from '../catalog/catalog.js';
import { ChoiceError, chooseLayers } from '../catalog/choose-layers.js';
import { contributionOf, contributionText } from '../catalog/contribution.js';
import { UserError } from '../errors.js';
import { inspectTarget } from '../project/target.js';
import { drawnPrompts } from './drawn-prompts.js';
import { plainPrompts } from './plain-prompts.js';
import { nameProblem } from './project-name.js';
import { back, type Offered, type Prompts } from './prompt.js';
import { type Choice, type GivenAnswers, isRelevant, type Question } from './questions.js';
import {
  completed,
  leftOut,
  needlessAnswers,
  openSteps,
  type Request,
  type Step,
  summaryLines,
} from './request.js';

/** Everything known before the first question. */
interface Draft {
  catalog: Catalog;
  questions: Question[];
  directory: string | undefined;
  given: GivenAnswers;
  /** True if files in the directory may be replaced. */
  isForced: boolean;
  /** The closing sentence: what is done with the answers. */
  end: string;
}

/**
 * Asks the open questions, shows the summary, and lets every answer be changed until it is confirmed.
 * Each question can go back to the one before it.
 * @throws UserError with exit code 130 if the person leaves
 */
export async function askOpenAnswers(draft: Draft, output: NodeJS.WriteStream): Promise<Request> {
  const { questions } = draft;
  const prompts = promptsOn(output);
  prompts.begin();
  let answered = draft.given;
  let request = completedDraft(draft, answered, draft.directory);
  for (let position = 0; ; ) {
    // An answer may raise a further question, later in the order.
    const steps = openSteps(questions, draft.given, draft.directory, request.answers);
    const step = steps[position] ?? (await confirmOrChange(request, draft, prompts));
    if (step === 'confirmed') {
      prompts.end(draft.end);
      return request;
    }
    const soFar = { answered, request, hasPrevious: position > 0 };
    const changed = step === back ? back : await askStep(step, soFar, draft, prompts);
    if (changed !== back) {
      answered = { ...answered, ...changed.answered };
      request = completedDraft(draft, answered, changed.directory ?? request.directory);
      position = Math.min(position + 1, steps.length);
    } else if (step === back || position < steps.length) {
      position = Math.max(position - 1, 0);
    }
  }
}

/** The answers so far, with a remark on each given one whose layer a person has not chosen. */
function completedDraft(
  { questions, given }: Draft,
  answered: GivenAnswers,
  directory: string | undefined,
): Request {
  const request = completed(questions, answered, directory);
  const needless = needlessAnswers(questions, { ...given, ...request.answers });
  return { ...request, remarks: [...request.remarks, ...needless.map(leftOut)] };
}

/** Asks before something that cannot be undone; Enter alone means no. */
export async function askYesOrNo(message: string, output: NodeJS.WriteStream): Promise<boolean> {
  const offered = [
    { value: 'no' as const, label: 'No' },
    { value: 'yes' as const, label: 'Yes' },
  ];
  const asked = { message, offered, current: 'no', hasPrevious: false, problem: () => undefined };
  return (await promptsOn(output).one(asked)) === 'yes';
}

/**
 * Drawn prompts, or plain ones where `ACCESSIBLE` is set: screen readers cannot read drawn ones.
 */
function promptsOn(output: NodeJS.WriteStream): Prompts {
  const { ACCESSIBLE = '', TERM } = process.env;
  const isPlain = !['', '0', 'false'].includes(ACCESSIBLE) || TERM === 'dumb';
  return isPlain ? plainPrompts(output) : drawnPrompts(output);
}

async function askStep(
  step: Step,
  soFar: { answered: GivenAnswers; request: Request; hasPrevious: boolean },
  { catalog, questions, isForced }: Draft,
  prompts: Prompts,
): Promise<{ directory?: string; answered?: GivenAnswers } | typeof back> {
  const { directory, answers } = soFar.request;
  if (step === 'directory') {
    const answer = await prompts.text({
      message: 'Where should the project go?',
      current: directory,
      problem: (typed) => problemOf(() => inspectTarget(typed, { isForced })),
    });
    return answer === back ? back : { directory: answer };
  }
  const question = questions.find(({ key }) => key === step);
  if (!question) throw new Error(`there is no question for ${step}`);
  if (question.kind === 'text') {
    const answer = await prompts.text({
      message: question.ask,
      current: answers.name,
      problem: (typed) => {
        const why = nameProblem(typed);
        return why && `The name ${JSON.stringify(typed)} ${why}.`;
      },
    });
    return answer === back ? back : { answered: { name: answer } };
  }
  const problem = (answer: string | string[]) => {
    if (question.needsOne && answer.length === 0) return 'Choose at least one.';
    const next = () => completed(questions, { ...soFar.answered, [step]: answer }, directory);
    return problemOf(() => chooseLayers(catalog, next().answers), question.choices);
  };
  const offered = question.choices.map((choice) => offer(choice, catalog));
  const { hasPrevious } = soFar;
  const asked = { message: question.ask, offered, hasPrevious, problem };
  const answer = await (question.kind === 'one'
    ? prompts.one({ ...asked, current: [answers[step]].flat()[0] })
    : prompts.several({ ...asked, current: [answers[step] ?? []].flat() }));
  return answer === back ? back : { answered: { [step]: answer } };
}

function offer({ value, title, hint, needs }: Choice, catalog: Catalog): Offered {
  // Package managers are no layers.
  const isLayer = catalog.some(({ name }) => name === value);
  const brings = isLayer ? contributionText(contributionOf(catalog, value)) : '';
  const about = [hint, needs.length > 0 ? `Needs ${needs.join(', ')}` : '', brings];
  return { value, label: title, about: about.filter(Boolean).join('. ') };
}

async function confirmOrChange(
  request: Request,
  { catalog, questions }: Draft,
  prompts: Prompts,
): Promise<Step | 'confirmed' | typeof back> {
  const problem = problemOf(() => chooseLayers(catalog, request.answers));
  const lines = [...summaryLines(questions, request), ...request.remarks];
  prompts.tell('Your service', problem ? [...lines, '', problem] : lines);
  const changes = questions.filter(
    (each) =>
      (each.kind === 'text' || each.choices.length > 1) && isRelevant(each, request.answers),
  );
  return prompts.one<Step | 'confirmed'>({
    message: problem ? 'What do you want to change?' : 'Create it?',
    offered: [
      ...(problem ? [] : [{ value: 'confirmed' as const, label: 'Yes' }]),
      { value: 'directory', label: 'Change the directory' },
      ...changes.map(({ key, title }) => ({
        value: key,
        label: `Change the ${title.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())}`,
      })),
    ],
    current: undefined,
    hasPrevious: true,
    problem: () => undefined,
  });
}

/**
 * The message of a check to the person answering a question.
 * @param choices of this question: what only other questions can fix is reported at the end
 */
function problemOf(attempt: () => void, choices?: Question['choices']): string | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    if (!(error instanceof ChoiceError))
      return [error.message, error.hint].filter(Boolean).join('\n');
    const isHere = choices?.some(({ value }) => value === error.layer.name) ?? true;
    return isHere ? error.whenAsked : undefined;
  }
}
