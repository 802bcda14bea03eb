import {
  type Catalog,
  choicesOf,
  layersOf,
  neededAbilities,
  neededBy,
} from '../catalog/catalog.js';
import type { Layer, LayerGroup } from '../catalog/layer.js';
import { type PackageManagerName, packageManagerNames } from './package-managers.js';

/** A value that a question offers. */
export interface Choice {
  value: string;
  title: string;
  hint: string;
  isDefault: boolean;
  /** Values of other questions that this one requires. */
  needs: string[];
  /** One of these must be chosen too; `because` says why. */
  needsOneOf: { givenBy: string[]; because: string }[];
  /** Values of other questions that this one excludes. */
  excludes: string[];
}

/** How an answer is asked for, and which values it may have. */
export interface Question {
  /** The key of its answer. The catalog defines further keys, for layers with choices; those the compiler does not know. */
  key: AnswerKey;
  title: string;
  ask: string;
  help: string;
  kind: 'text' | 'one' | 'several';
  choices: Choice[];
  /** At least one of several choices must be taken. */
  needsOne: boolean;
  /** False if the answer is known without asking: it only appears in the summary. */
  isAsked: boolean;
  /** The method or feature without which the question makes no sense. */
  onlyWith?: string;
}

/** What a project is made of. */
export type Answers = {
  name: string;
  framework: string;
  database: string;
  methods: string[];
  features: string[];
  packageManager: PackageManagerName;
};

export type AnswerKey = keyof Answers;

/** Answers of which some are still open. */
export type GivenAnswers = Partial<Answers>;

/**
 * All questions in the order in which they are asked: for prompts, flags, help, the config file and the saved answers.
 * Choices are in the catalog's order.
 */
export function questionsFrom(catalog: Catalog): Question[] {
  const of = (group: LayerGroup) => choicesFrom(catalog, layersOf(catalog, group));
  return [
    {
      key: 'name',
      title: 'Name',
      ask: 'What is the project called?',
      help: "the project's name (by default the directory's)",
      kind: 'text',
      choices: [],
      needsOne: true,
      isAsked: false,
    },
    one(of('framework'), { key: 'framework', title: 'Framework', ask: 'Which HTTP framework?' }),
    one(of('database'), { key: 'database', title: 'Database', ask: 'Which database?' }),
    several(1, of('method'), { key: 'methods', title: 'Methods', ask: 'How do people sign in?' }),
    several(0, of('feature'), { key: 'features', title: 'Features', ask: 'Which features?' }),
    ...catalog.flatMap((layer) => questionOf(catalog, layer) ?? []),
    {
      key: 'packageManager',
      title: 'Package manager',
      ask: 'Which package manager?',
      help: `${packageManagerNames.join(', ')} (when created, by default the one that runs this)`,
      kind: 'one',
      choices: packageManagerNames.map((value) => ({
        value,
        title: value,
        hint: '',
        isDefault: value === 'npm',
        needs: [],
        needsOneOf: [],
        excludes: [],
      })),
      needsOne: true,
      isAsked: false,
    },
  ];
}

/** The flag that gives the answer: its key in kebab-case. */
export function flagOf({ key }: Question): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** True if the question has to be answered: what it is about has been chosen. */
export function isRelevant({ onlyWith }: Question, answers: GivenAnswers): boolean {
  if (onlyWith === undefined) return true;
  return [...(answers.methods ?? []), ...(answers.features ?? [])].includes(onlyWith);
}

/** The values of one answer; none if it has not been given. For answers that only some layers ask for. */
export function valuesOf(answers: object, key: string): string[] {
  const value: unknown = Object.entries(answers).find(([name]) => name === key)?.[1];
  return [value].flat().filter((each) => typeof each === 'string');
}

/** The question about the choices within a layer. */
function questionOf(catalog: Catalog, { name, choices }: Layer): Question | undefined {
  if (!choices) return undefined;
  const key = choices.key as AnswerKey;
  const offer = choicesFrom(catalog, choicesOf(catalog, name));
  return several(1, offer, { ...choices, key, onlyWith: name });
}

type Offer = Pick<Question, 'choices' | 'help'>;
type About = Pick<Question, 'key' | 'title' | 'ask' | 'onlyWith'>;

// A question with one possible answer is not asked.
function one(offer: Offer, about: About): Question {
  const isAsked = offer.choices.length > 1;
  return { ...about, ...offer, kind: 'one', needsOne: true, isAsked };
}

function several(atLeast: 0 | 1, offer: Offer, about: About): Question {
  const isAsked = offer.choices.length > atLeast;
  return { ...about, ...offer, kind: 'several', needsOne: atLeast > 0, isAsked };
}

function choicesFrom(catalog: Catalog, layers: Layer[]): Offer {
  const choices = layers.map((layer) => ({
    value: layer.name,
    title: layer.title,
    hint: layer.hint,
    isDefault: layer.default,
    needs: offeredNeeds(catalog, layer),
    needsOneOf: neededAbilities(catalog, layer),
    excludes: catalog
      .filter(
        ({ name, conflicts }) => conflicts.includes(layer.name) || layer.conflicts.includes(name),
      )
      .map(({ name }) => name),
  }));
  return { choices, help: choices.map(({ value }) => value).join(', ') };
}

/** What a layer requires and people choose by name; the rest is added automatically. A choice comes with its layer. */
export function offeredNeeds(catalog: Catalog, layer: Layer): string[] {
  if (layer.choiceOf !== undefined) return [];
  return neededBy(catalog, layer)
    .filter(({ group }) => group === 'method' || group === 'feature')
    .map(({ name }) => name);
}
