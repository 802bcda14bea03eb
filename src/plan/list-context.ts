import { packageManagers } from '../answers/package-managers.js';
import { packageNameOf } from '../answers/project-name.js';
import type { Answers } from '../answers/schema.js';
import type { Layer } from '../catalog/layer.js';
import { type FoundRoute, findRoutes } from './find-routes.js';
import type { LaidFile } from './lay-over.js';

/** A chosen method, feature or internal layer under the names that code uses for it. */
export interface NamedFeature {
  name: string;
  camel: string;
  pascal: string;
  title: string;
  hint: string;
}

/** Everything that a wiring list may loop over. */
export interface ListContext {
  project: { name: string; packageName: string };
  framework: { name: string; title: string };
  database: { name: string; title: string };
  features: NamedFeature[];
  /** The features whose folder has that file. */
  having(file: string): NamedFeature[];
  /** What was chosen within a layer. */
  choices(layer: string): NamedFeature[];
  /** The routes below the service's own prefix. */
  routes: FoundRoute[];
  /** The routes that are mounted elsewhere, by mount point. */
  mounts: { title: string; path: string; routes: FoundRoute[] }[];
  docs: { path: string; title: string }[];
  packageManager: (typeof packageManagers)[Answers['packageManager']];
  dependencies: string[];
  /** What to type after creation, in order. */
  nextSteps: string[];
  version: string;
}

export interface ListFacts {
  answers: Answers;
  layers: Layer[];
  tree: Map<string, LaidFile>;
  dependencies: string[];
  nextSteps: string[];
  version: string;
}

export function listContext({
  answers,
  layers,
  tree,
  dependencies,
  nextSteps,
  version,
}: ListFacts): ListContext {
  const features = layers
    .filter(({ group }) => group === 'method' || group === 'feature' || group === 'internal')
    .sort(byName)
    .map(underItsNames);
  const having = (file: string) =>
    features.filter(({ name }) => tree.has(`src/features/${name}/${file}`));
  const routes = findRoutes(tree);
  const choices = (layer: string) =>
    layers
      .filter(({ choiceOf }) => choiceOf === layer)
      .sort(byName)
      .map(underItsNames);
  return {
    project: { name: answers.name, packageName: packageNameOf(answers.name) },
    framework: titled(layers, 'framework'),
    database: titled(layers, 'database'),
    features,
    having,
    choices,
    routes: routes.filter(({ mount }) => mount === undefined),
    mounts: layers
      .filter(({ mountedAt }) => mountedAt !== undefined)
      .sort(byName)
      .map(({ name, title, mountedAt = '' }) => ({
        title,
        path: mountedAt,
        routes: routes.filter(({ mount }) => mount === name),
      })),
    docs: featureDocs(tree),
    packageManager: packageManagers[answers.packageManager],
    dependencies,
    nextSteps,
    version,
  };
}

function underItsNames({ name, title, hint }: Layer): NamedFeature {
  return { name, camel: camel(name), pascal: pascal(name), title, hint };
}

function byName(a: Layer, b: Layer): number {
  return a.name < b.name ? -1 : 1;
}

function titled(layers: Layer[], group: Layer['group']): { name: string; title: string } {
  const layer = layers.find((candidate) => candidate.group === group);
  if (!layer) throw new Error(`no ${group} is chosen`);
  return { name: layer.name, title: layer.title };
}

function featureDocs(tree: Map<string, LaidFile>): { path: string; title: string }[] {
  return [...tree]
    .filter(([path]) => /^docs\/features\/[^/]+\.md$/.test(path))
    .map(([path, { source }]) => ({ path, title: firstHeading(source.content.toString(), path) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function firstHeading(markdown: string, path: string): string {
  const heading = /^# (.+)$/m.exec(markdown)?.[1];
  if (!heading) throw new Error(`${path} has no heading`);
  return heading.trim();
}

/** `two-words` → `twoWords` */
export function camel(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

function pascal(name: string): string {
  return camel(`-${name}`);
}
