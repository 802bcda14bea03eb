import {
  type Catalog,
  choicesOf,
  layersOf,
  neededAbilities,
  neededBy,
} from '../catalog/catalog.js';
import type { Layer, LayerGroup } from '../catalog/layer.js';
import { packageManagerNames } from './package-managers.js';

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

/** How an answer is asked for, which flag gives it, and which values it may have. */
export interface Question {
  title: string;
  ask: string;
  /** As commander declares it. */
  flag: string;
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

/** All questions by the keys of their answers. */
export interface Questions {
  name: Question;
  framework: Question;
  database: Question;
  methods: Question;
  features: Question;
  /** The questions of single layers, by keys that the catalog defines. */
  ofLayers: Record<string, Question>;
  packageManager: Question;
}

/**
 * All questions. The schema of the answers is made from them, for prompts, the config file and the saved answers; flags
 * and help are made from them alone, so that help loads no schema. Choices are in the catalog's order.
 */
export function questionsFrom(catalog: Catalog): Questions {
  return {
    name: {
      title: 'Name',
      ask: 'What is the project called?',
      flag: '--name <name>',
      help: "the project's name (default: the directory's)",
      kind: 'text',
      choices: [],
      needsOne: true,
      isAsked: false,
    },
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
    ofLayers: questionsOfLayers(catalog),
    packageManager: {
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
        needs: [],
        needsOneOf: [],
        excludes: [],
      })),
      needsOne: true,
      isAsked: false,
    },
  };
}

/** The questions in the order in which they are asked, with the key of the answer each gives. */
export function inOrder({ ofLayers, packageManager, ...first }: Questions): [string, Question][] {
  return Object.entries({ ...first, ...ofLayers, packageManager });
}

/** The values of one answer; none if it has not been given. For answers that only some layers ask for. */
export function valuesOf(answers: object, key: string): string[] {
  const value: unknown = Object.entries(answers).find(([name]) => name === key)?.[1];
  return [value].flat().filter((each) => typeof each === 'string');
}

function questionsOfLayers(catalog: Catalog): Record<string, Question> {
  return Object.fromEntries(
    catalog.flatMap((layer) => {
      if (!layer.choices) return [];
      const { key, title, ask } = layer.choices;
      const flag = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      const offer = { ...choicesFrom(catalog, choicesOf(catalog, layer.name)), title, ask };
      return [[key, several(1, { ...offer, flag: `--${flag} <names>`, onlyWith: layer.name })]];
    }),
  );
}

type Offer = Omit<Question, 'kind' | 'needsOne' | 'isAsked'>;

// A question with one possible answer is not asked.
function one(offer: Offer): Question {
  return { ...offer, kind: 'one', needsOne: true, isAsked: offer.choices.length > 1 };
}

function several(atLeast: 0 | 1, offer: Offer): Question {
  const isAsked = offer.choices.length > atLeast;
  return { ...offer, kind: 'several', needsOne: atLeast > 0, isAsked };
}

function offers(catalog: Catalog, group: LayerGroup) {
  return choicesFrom(catalog, layersOf(catalog, group));
}

function choicesFrom(catalog: Catalog, layers: Layer[]) {
  const choices = layers.map((layer) => ({
    value: layer.name,
    title: layer.title,
    hint: layer.hint,
    isDefault: layer.default,
    needs: layer.choiceOf === undefined ? offeredNeeds(catalog, layer) : [],
    needsOneOf: neededAbilities(catalog, layer),
    excludes: catalog
      .filter(
        ({ name, conflicts }) => conflicts.includes(layer.name) || layer.conflicts.includes(name),
      )
      .map(({ name }) => name),
  }));
  return { choices, help: choices.map(({ value }) => value).join(', ') };
}

/** What a layer requires and people choose by name; the rest is added automatically. */
export function offeredNeeds(catalog: Catalog, layer: Layer): string[] {
  return neededBy(catalog, layer)
    .filter(({ group }) => group === 'method' || group === 'feature')
    .map(({ name }) => name);
}
