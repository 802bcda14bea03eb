import * as z from 'zod/mini';
import { type Catalog, choicesOf, layersOf } from '../catalog/catalog.js';
import type { Layer, LayerGroup } from '../catalog/layer.js';
import { packageManagerNames } from './package-managers.js';
import { nameProblem } from './project-name.js';

/** A value that a question offers. */
export interface Choice {
  value: string;
  title: string;
  hint: string;
  isDefault: boolean;
}

/** What the schema cannot say about an answer: how to ask for it, and by which flag it is given. */
export interface Question {
  title: string;
  ask: string;
  /** As commander declares it. */
  flag: string;
  help: string;
  kind: 'text' | 'one' | 'several';
  choices: Choice[];
  /** Of several choices one must be taken. */
  needsOne: boolean;
  /** False for what is known without asking; it is only shown in the summary. */
  isAsked: boolean;
  /** The method or feature without which the question makes no sense. */
  onlyWith?: string;
}

const questions = z.registry<Question>();

/**
 * The one description of the answers: prompts, flags, the config file and the saved answers derive from it.
 * Its values are those which the catalog offers, in the catalog's order.
 */
export function answersSchema(catalog: Catalog) {
  return z.strictObject({
    name: named({
      title: 'Name',
      ask: 'What is the project called?',
      flag: '--name <name>',
      help: "the project's name (default: the directory's)",
      kind: 'text',
      choices: [],
      needsOne: true,
      isAsked: false,
    }),
    framework: one({
      ...offers(catalog, 'framework'),
      title: 'Framework',
      ask: 'Which HTTP framework?',
      flag: '--framework <name>',
    }),
    database: one({
      ...offers(catalog, 'database'),
      title: 'Database',
      ask: 'Which database?',
      flag: '--database <name>',
    }),
    methods: several(1, {
      ...offers(catalog, 'method'),
      title: 'Methods',
      ask: 'How do people sign in?',
      flag: '--methods <names>',
    }),
    features: several(0, {
      ...offers(catalog, 'feature'),
      title: 'Features',
      ask: 'Which features?',
      flag: '--features <names>',
    }),
    ...choiceAnswers(catalog),
    packageManager: z.enum(packageManagerNames).register(questions, {
      title: 'Package manager',
      ask: 'Which package manager?',
      flag: '--package-manager <name>',
      help: `${packageManagerNames.join(', ')} (default: the one that runs this)`,
      kind: 'one',
      choices: packageManagerNames.map((value) => ({
        value,
        title: value,
        hint: '',
        isDefault: value === 'npm',
      })),
      needsOne: true,
      isAsked: false,
    }),
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
    if (!question) throw new Error(`nothing is said about how to ask for ${key}`);
    return [key as AnswerKey, question];
  });
}

/** The values of one answer; none if it has not been given. For answers that only some layers ask for. */
export function valuesOf(answers: object, key: string): string[] {
  const value: unknown = Object.entries(answers).find(([name]) => name === key)?.[1];
  return [value].flat().filter((each) => typeof each === 'string');
}

/** True if the question has to be answered: what it is about has been chosen. */
export function isRelevant({ onlyWith }: Question, answers: GivenAnswers): boolean {
  if (onlyWith === undefined) return true;
  return [...(answers.methods ?? []), ...(answers.features ?? [])].includes(onlyWith);
}

/** The questions that layers ask about themselves. Their keys are the catalog's, unknown to the compiler. */
function choiceAnswers(catalog: Catalog): object {
  return Object.fromEntries(
    catalog.flatMap((layer) => {
      if (!layer.choices) return [];
      const { key, title, ask } = layer.choices;
      const flag = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      const offer = { ...choicesFrom(choicesOf(catalog, layer.name)), title, ask };
      const question = { ...offer, flag: `--${flag} <names>`, onlyWith: layer.name };
      return [[key, optional(several(1, question))]];
    }),
  );
}

/** Absent where the question makes no sense. */
function optional(answer: ReturnType<typeof several>) {
  const question = questions.get(answer);
  if (!question) throw new Error('nothing is said about how to ask');
  return z.optional(answer).register(questions, question);
}

function named(question: Question) {
  const name = z.string().check(z.refine((text) => nameProblem(text) === undefined));
  return name.register(questions, question);
}

type Offer = Omit<Question, 'kind' | 'needsOne' | 'isAsked'>;

// A question with one possible answer is not asked.
function one(offer: Offer) {
  const isAsked = offer.choices.length > 1;
  return z
    .enum(offer.choices.map(({ value }) => value))
    .register(questions, { ...offer, kind: 'one', needsOne: true, isAsked });
}

function several(atLeast: 0 | 1, offer: Offer) {
  const values = offer.choices.map(({ value }) => value);
  // The catalog's order, each once: the order in which people name things must not change a byte.
  const inOrder = (given: string[]) => values.filter((value) => given.includes(value));
  return z
    .pipe(z.array(z.enum(values)).check(z.minLength(atLeast)), z.transform(inOrder))
    .register(questions, {
      ...offer,
      kind: 'several',
      needsOne: atLeast > 0,
      isAsked: values.length > atLeast,
    });
}

function offers(catalog: Catalog, group: LayerGroup) {
  return choicesFrom(layersOf(catalog, group));
}

function choicesFrom(layers: Layer[]) {
  const choices = layers.map((layer) => ({
    value: layer.name,
    title: layer.title,
    hint: layer.hint,
    isDefault: layer.default,
  }));
  return { choices, help: choices.map(({ value }) => value).join(', ') };
}
