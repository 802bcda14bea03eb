import * as z from 'zod/mini';
import type { Catalog } from '../catalog/catalog.js';
import { packageManagerNames } from './package-managers.js';
import { nameProblem } from './project-name.js';
import { type Question, questionsFrom } from './questions.js';

const questions = z.registry<Question>();

/**
 * What answers may be, for prompts, the config file and the saved answers. Its values are those that the questions
 * offer, in their order.
 */
export function answersSchema(catalog: Catalog) {
  const { name, framework, database, methods, features, ofLayers, packageManager } =
    questionsFrom(catalog);
  return z.strictObject({
    name: named(name),
    framework: one(framework),
    database: one(database),
    methods: several(methods),
    features: several(features),
    ...whereAsked(ofLayers),
    packageManager: z.enum(packageManagerNames).register(questions, packageManager),
  });
}

export type AnswersSchema = ReturnType<typeof answersSchema>;
export type Answers = z.infer<AnswersSchema>;
export type AnswerKey = keyof Answers;

/** Answers of which some are still open. */
export type GivenAnswers = Partial<Answers>;

/** The questions in the order in which they are asked, with the key of the answer each gives. */
export function questionsOf(schema: AnswersSchema): [AnswerKey, Question][] {
  return Object.entries(schema.shape).map(([key, part]) => {
    const question = questions.get(part);
    if (!question) throw new Error(`there is no question for ${key}`);
    return [key as AnswerKey, question];
  });
}

/** True if the question has to be answered: what it is about has been chosen. */
export function isRelevant({ onlyWith }: Question, answers: GivenAnswers): boolean {
  if (onlyWith === undefined) return true;
  return [...(answers.methods ?? []), ...(answers.features ?? [])].includes(onlyWith);
}

/** Absent where the question makes no sense. The catalog defines the keys, so the compiler does not know them. */
function whereAsked(ofLayers: Record<string, Question>): object {
  const entries = Object.entries(ofLayers).map(([key, question]) => [
    key,
    z.optional(several(question)).register(questions, question),
  ]);
  return Object.fromEntries(entries);
}

function named(question: Question) {
  const name = z.string().check(z.refine((text) => nameProblem(text) === undefined));
  return name.register(questions, question);
}

function one(question: Question) {
  return z.enum(question.choices.map(({ value }) => value)).register(questions, question);
}

function several(question: Question) {
  const values = question.choices.map(({ value }) => value);
  // The catalog's order, each once: the order in which people name things must not change a byte.
  const inOrder = (given: string[]) => values.filter((value) => given.includes(value));
  const names = z.array(z.enum(values)).check(z.minLength(question.needsOne ? 1 : 0));
  return z.pipe(names, z.transform(inOrder)).register(questions, question);
}
