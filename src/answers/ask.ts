import { UserError } from '../errors.js';
import { intro, log, note, outro } from '../packages/clack.js';
import { summaryLines } from './command-line.js';
import { askChoice, askHowToGoOn, askText, back } from './prompts.js';
import { type Checks, completed, openSteps, type Request, type Step } from './request.js';
import { type AnswersSchema, type GivenAnswers, isRelevant, questionsOf } from './schema.js';

/** What is known before the first question, and what the answers are held against. */
export interface Draft {
  directory: string | undefined;
  given: GivenAnswers;
  checks: Checks;
}

/**
 * Asks what is open, shows the summary, and lets every answer be changed until it is confirmed.
 * Each question can go back to the one before it.
 * @throws UserError with exit code 130 if the person leaves
 */
export async function askOpenAnswers(
  schema: AnswersSchema,
  draft: Draft,
  output: NodeJS.WriteStream,
): Promise<Request> {
  intro('create-auth-service (Shift+Tab goes back a question)', { output });
  let answered = draft.given;
  let request = completed(schema, answered, draft.directory);
  for (let position = 0; ; ) {
    // An answer may raise a further question, later in the order.
    const steps = openSteps(schema, draft.given, draft.directory, request.answers);
    const step = steps[position] ?? (await confirmOrChange(schema, request, draft, output));
    if (step === 'confirmed') {
      outro('Creating the project.', { output });
      return request;
    }
    const changed = step === back ? back : await askStep(schema, step, request, draft, output);
    if (changed !== back) {
      answered = { ...answered, ...changed.answered };
      request = completed(schema, answered, changed.directory ?? request.directory);
      position = Math.min(position + 1, steps.length);
    } else if (step === back || position < steps.length) {
      position = Math.max(position - 1, 0);
    }
  }
}

async function askStep(
  schema: AnswersSchema,
  step: Step,
  { directory, answers }: Request,
  { checks }: Draft,
  output: NodeJS.WriteStream,
): Promise<{ directory?: string; answered?: GivenAnswers } | typeof back> {
  if (step === 'directory') {
    const problem = (value: string) => problemOf(() => checks.directory(value));
    const answer = await askText('Where should the project go?', directory, problem, output);
    return answer === back ? back : { directory: answer };
  }
  const question = questionsOf(schema).find(([key]) => key === step)?.[1];
  if (!question) throw new Error(`nobody asks for ${step}`);
  const answer = await askChoice(question, [answers[step]].flat(), output);
  return answer === back ? back : { answered: { [step]: answer } };
}

async function confirmOrChange(
  schema: AnswersSchema,
  request: Request,
  { checks }: Draft,
  output: NodeJS.WriteStream,
): Promise<Step | 'confirmed' | typeof back> {
  note(summaryLines(schema, request).join('\n'), 'Your service', { output });
  const problem = problemOf(() => checks.request(request));
  if (problem) log.error(problem, { output });
  const changes = questionsOf(schema).filter(
    ([, question]) => question.choices.length > 1 && isRelevant(question, request.answers),
  );
  return askHowToGoOn<Step | 'confirmed'>(
    'Create it?',
    [
      ...(problem ? [] : [{ value: 'confirmed' as const, label: 'Yes' }]),
      { value: 'directory', label: 'Change the directory' },
      ...changes.map(([key, { title }]) => ({
        value: key,
        label: `Change the ${title.toLowerCase()}`,
      })),
    ],
    output,
  );
}

function problemOf(attempt: () => void): string | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    if (error instanceof UserError) return [error.message, error.hint].filter(Boolean).join(' ');
    throw error;
  }
}
