import { createHash } from 'node:crypto';
import { packageManagers } from '../answers/package-managers.js';
import { packageNameOf } from '../answers/project-name.js';
import type { Answers } from '../answers/schema.js';
import type { Layer } from '../catalog/layer.js';
import type { EnvVariable } from './env-example.js';
import { type FoundRoute, findRoutes } from './find-routes.js';
import type { LaidFile } from './plan-project.js';
import type { SecurityPage } from './security-page.js';

/** A chosen method, feature or internal layer under the names that code uses for it. */
export interface NamedFeature {
  name: string;
  camel: string;
  pascal: string;
  title: string;
  hint: string;
}

/** A folder with a `feature.ts`. */
export interface NamedFolder {
  folder: string;
  camel: string;
}

/** A module of the emitted tree, and the name that it exports. */
export interface NamedModule {
  name: string;
  camel: string;
}

/** A page of the front end, as the documentation of a feature names it. */
export interface FrontEndPage {
  /** Below APP_URL. */
  path: string;
  does: string;
}

/** Everything that a wiring list may loop over. */
export interface ListContext {
  project: { name: string; packageName: string };
  framework: { name: string; title: string };
  database: { name: string; title: string };
  layers: NamedFeature[];
  /**
   * The folders below `src/` that have a `feature.ts`, with the name that it exports. Those that every service has come
   * first: a framework may match routes one after another, and theirs are the busiest.
   */
  features: NamedFolder[];
  /** The same, sorted as formatters sort imports. */
  featureImports: NamedFolder[];
  /** The variables of the emitted project's tests, with their values. */
  testEnvironment: [name: string, value: string][];
  /** The TypeScript files in a folder of the tree, sorted as formatters sort imports. */
  modules(folder: string): NamedModule[];
  /** The secrets in those tests: as strong as generated ones, and the same each time. */
  testSecrets: [name: string, value: string][];
  /** What was chosen within a layer. */
  choices(layer: string): NamedFeature[];
  /** The routes below the service's own prefix. */
  routes: FoundRoute[];
  /** The routes that are mounted elsewhere, by mount point. */
  mounts: { title: string; path: string; routes: FoundRoute[] }[];
  /** Packages that the build leaves in node_modules. */
  unbundled: string[];
  /** Emitted paths that belong to the team, and those that an upgrade merges line by line. */
  yours: string[];
  lists: string[];
  docs: { path: string; title: string }[];
  /** The scripts that only some services have, with the title of the layer that brings them. */
  layerScripts: { name: string; title: string }[];
  /** The protections against each threat, and the requirements of OWASP's ASVS. */
  security: SecurityPage;
  /** Where mails and redirects lead in the front end. */
  linkTargets: FrontEndPage[];
  packageManager: (typeof packageManagers)[Answers['packageManager']];
  /** The files of the project that an installation reads, separated by spaces. */
  installFiles: string;
  dependencies: string[];
  /** What to type after creation, in order. */
  nextSteps: string[];
  version: string;
}

export interface ListFacts {
  answers: Answers;
  layers: Layer[];
  tree: Map<string, LaidFile>;
  env: EnvVariable[];
  dependencies: string[];
  layerScripts: ListContext['layerScripts'];
  security: SecurityPage;
  nextSteps: string[];
  version: string;
}

export function listContext({
  answers,
  layers,
  tree,
  env,
  dependencies,
  layerScripts,
  security,
  nextSteps,
  version,
}: ListFacts): ListContext {
  const chosen = layers
    .filter(({ group }) => group === 'method' || group === 'feature' || group === 'internal')
    .sort(byName)
    .map(underItsNames);
  const packageManager = packageManagers[answers.packageManager];
  const routes = findRoutes(tree);
  const mounted = layers.filter(({ mountedAt }) => mountedAt !== undefined);
  /** Of the folders around a table, the innermost one that belongs to a layer with its own mount point. */
  const mountOf = ({ file }: FoundRoute) =>
    file.split('/').findLast((folder) => mounted.some(({ name }) => name === folder));
  const folders = featureFolders(tree);
  const depthOf = ({ folder }: NamedFolder) => Number(folder.includes('/'));
  const choices = (layer: string) =>
    layers
      .filter(({ choiceOf }) => choiceOf === layer)
      .sort(byName)
      .map(underItsNames);
  return {
    project: { name: answers.name, packageName: packageNameOf(answers.name) },
    framework: titled(layers, 'framework'),
    database: titled(layers, 'database'),
    layers: chosen,
    features: folders.toSorted((a, b) => depthOf(a) - depthOf(b)),
    featureImports: folders,
    testEnvironment: layers.flatMap(({ testEnvironment }) => Object.entries(testEnvironment)),
    modules: (folder) => modulesIn(tree, folder),
    testSecrets: env
      .filter(({ isSecret }) => isSecret)
      .map(({ name }) => [name, createHash('sha256').update(name).digest('hex')]),
    choices,
    routes: routes.filter((route) => mountOf(route) === undefined),
    mounts: mounted.sort(byName).map(({ name, title, mountedAt = '' }) => ({
      title,
      path: mountedAt,
      routes: routes.filter((route) => mountOf(route) === name),
    })),
    unbundled: layers.flatMap(({ unbundled }) => unbundled).sort(),
    yours: pathsIn(
      tree,
      layers.flatMap((layer) => layer.yours),
    ),
    lists: pathsIn(
      tree,
      layers.flatMap((layer) => layer.lists),
    ),
    docs: featureDocs(tree),
    layerScripts,
    security,
    linkTargets: linkTargets(tree),
    packageManager,
    installFiles: [
      'package.json',
      packageManager.lockfile,
      ...Object.keys(packageManager.files),
    ].join(' '),
    dependencies,
    nextSteps,
    version,
  };
}

function pathsIn(tree: Map<string, LaidFile>, paths: string[]): string[] {
  return [...new Set(paths)].filter((path) => tree.has(path)).sort();
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

/** Formatters sort imports folder by folder: `a/` comes before `a-b/`. */
function sortKeyOf(folder: string): string {
  return `${folder}/feature`.replaceAll('/', ' ');
}

function featureFolders(tree: Map<string, LaidFile>): NamedFolder[] {
  return [...tree.keys()]
    .flatMap((path) => /^src\/(.+)\/feature\.ts$/.exec(path)?.[1] ?? [])
    .sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1))
    .map((folder) => ({
      folder,
      camel: camel(folder.replace(/^features\//, '').replaceAll('/', '-')),
    }));
}

function modulesIn(tree: Map<string, LaidFile>, folder: string): NamedModule[] {
  return [...tree.keys()]
    .filter((path) => path.startsWith(`${folder}/`) && path.endsWith('.ts'))
    .map((path) => path.slice(folder.length + 1, -'.ts'.length))
    .sort()
    .map((name) => ({ name, camel: camel(name) }));
}

function featureDocs(tree: Map<string, LaidFile>): { path: string; title: string }[] {
  return featureTexts(tree).map(({ path, text }) => ({ path, title: firstHeading(text, path) }));
}

/** The rows of each table whose head is "below `APP_URL`". */
function linkTargets(tree: Map<string, LaidFile>): FrontEndPage[] {
  return featureTexts(tree).flatMap(({ text }) => {
    const [, rows = ''] = /^\| below `APP_URL` \|.*\n\|[-| ]+\|\n((?:\|.*\n)+)/m.exec(text) ?? [];
    return [...rows.matchAll(/^\| `([^`]+)` \| (.+?) *\|$/gm)].map(([, path = '', does = '']) => ({
      path,
      does,
    }));
  });
}

/** The documentation that features bring, sorted by path. */
function featureTexts(tree: Map<string, LaidFile>): { path: string; text: string }[] {
  return [...tree]
    .filter(([path]) => /^docs\/features\/[^/]+\.md$/.test(path))
    .map(([path, { source }]) => ({ path, text: source.content.toString() }))
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
