import { packageManagers } from '../answers/package-managers.js';
import { packageNameOf } from '../answers/project-name.js';
import type { Answers } from '../answers/questions.js';
import type { Layer, PackageFragment } from '../catalog/layer.js';
import type { Fragments } from '../catalog/read-sources.js';
import type { EnvVariable } from './env-example.js';
import { findRoutes } from './find-routes.js';
import { sha256Of } from './manifest.js';
import type { PackageJson } from './package-json.js';
import type { ComposedFile } from './plan-project.js';
import { composeSecurityPage } from './security-page.js';

/** What a project is made of. */
interface Parts {
  answers: Answers;
  version: string;
  layers: Layer[];
  fragments: Fragments[];
  tree: Map<string, ComposedFile>;
  packageJson: PackageJson;
  env: EnvVariable[];
}

/** Everything that a wiring list may loop over. */
export function listContext(parts: Parts) {
  const { answers, version, layers, fragments, tree, packageJson, env } = parts;
  const packageManager = packageManagers[answers.packageManager];
  const routes = findRoutes(tree);
  const mounted = layers.filter(({ mountedAt }) => mountedAt !== undefined).sort(byName);
  /** Of the folders around a table, the innermost one that belongs to a layer with its own mount point. */
  const mountOf = ({ file }: { file: string }) =>
    file.split('/').findLast((folder) => mounted.some(({ name }) => name === folder));
  const folders = featureFolders(tree);
  const depthOf = ({ folder }: { folder: string }) => Number(folder.includes('/'));
  const named = (isWanted: (layer: Layer) => boolean) =>
    layers.filter(isWanted).sort(byName).map(underItsNames);
  const emitted = (key: 'yours' | 'lists') =>
    [...new Set(layers.flatMap((layer) => layer[key]))].filter((path) => tree.has(path)).sort();
  return {
    version,
    dependencies: Object.keys({ ...packageJson.dependencies, ...packageJson.devDependencies }),
    /** The scripts that only some services have, with the title of the layer that brings them. */
    layerScripts: layerScriptsOf(fragments),
    /** The protections against each threat, and the requirements of OWASP's ASVS. */
    security: composeSecurityPage(fragments),
    /** Where people begin, once it runs. */
    start: layers.findLast(({ urls }) => urls.start)?.urls.start,
    /** What to type after creation, in order. */
    nextSteps: nextStepsOf(layers, packageManager.run),
    project: { name: answers.name, packageName: packageNameOf(answers.name) },
    framework: titled(layers, 'framework'),
    database: titled(layers, 'database'),
    /** The chosen methods, features and internal layers. */
    layers: named(({ group }) => ['method', 'feature', 'internal'].includes(group)),
    /** What was chosen within a layer. */
    choices: (layer: string) => named(({ choiceOf }) => choiceOf === layer),
    /**
     * The folders below `src/` that have a `feature.ts`, with the name that it exports. Those that every service has come
     * first: a framework may match routes one after another, and theirs are the busiest.
     */
    features: folders.toSorted((a, b) => depthOf(a) - depthOf(b)),
    /** The same, sorted as formatters sort imports. */
    featureImports: folders,
    /** The variables of the emitted project's tests, with their values. */
    testEnvironment: layers.flatMap(({ testEnvironment }) => Object.entries(testEnvironment)),
    /** The values that those tests put over the configuration that is read. */
    testConfig: layers.flatMap(({ testConfig }) => Object.entries(testConfig)),
    /** The variables that tests of a start in production need besides. */
    productionEnvironment: layers.flatMap((layer) => Object.entries(layer.productionEnvironment)),
    /** The secrets in those tests: as strong as generated ones, and the same each time. */
    testSecrets: env.filter(({ isSecret }) => isSecret).map(({ name }) => [name, sha256Of(name)]),
    /** The TypeScript files in a folder of the tree, sorted as formatters sort imports. */
    modules: (folder: string) => modulesIn(tree, folder),
    /** The routes below the service's own prefix. */
    routes: routes.filter((route) => mountOf(route) === undefined),
    /** The routes that are mounted elsewhere, by mount point. */
    mounts: mounted.map(({ name, title, mountedAt = '' }) => ({
      title,
      path: mountedAt,
      routes: routes.filter((route) => mountOf(route) === name),
    })),
    /** Packages that the build leaves in node_modules. */
    unbundled: layers.flatMap(({ unbundled }) => unbundled).sort(),
    /** Emitted paths that belong to the team, and those that an upgrade merges line by line. */
    yours: emitted('yours'),
    lists: emitted('lists'),
    docs: featureTexts(tree).map(({ path, text }) => ({ path, title: firstHeading(text, path) })),
    /** Where mails and redirects lead in the front end. */
    linkTargets: linkTargets(tree),
    /** The cookies of features: rows of the table of all cookies. */
    cookies: rowsBelow(tree, 'development'),
    packageManager,
    /** The files of the project that an installation reads, separated by spaces. */
    installFiles: [
      'package.json',
      packageManager.lockfile,
      ...Object.keys(packageManager.files),
    ].join(' '),
  };
}

function layerScriptsOf(fragments: Fragments[]): { name: string; title: string }[] {
  return fragments
    .filter(({ layer }) => layer.group !== 'base')
    .flatMap(({ layer: { title }, packageJson }) => {
      const { scripts = {} }: PackageFragment = JSON.parse(packageJson);
      return Object.keys(scripts).map((name) => ({ name, title }));
    });
}

/** What must run first, such as a database, is in later layers: the base's step comes last. */
function nextStepsOf(layers: Layer[], run: string): string[] {
  return [...layers]
    .reverse()
    .flatMap(({ nextSteps }) => nextSteps.map((step) => step.replace('{run}', run)));
}

/** A layer under the names that code uses for it. */
function underItsNames({ name, title, hint }: Layer) {
  return { name, camel: camel(name), pascal: camel(`-${name}`), title, hint };
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

function featureFolders(tree: Map<string, ComposedFile>) {
  return [...tree.keys()]
    .flatMap((path) => /^src\/(.+)\/feature\.ts$/.exec(path)?.[1] ?? [])
    .sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1))
    .map((folder) => ({
      folder,
      camel: camel(folder.replace(/^features\//, '').replaceAll('/', '-')),
    }));
}

function modulesIn(tree: Map<string, ComposedFile>, folder: string) {
  return [...tree.keys()]
    .filter((path) => path.startsWith(`${folder}/`) && path.endsWith('.ts'))
    .map((path) => path.slice(folder.length + 1, -'.ts'.length))
    .sort()
    .map((name) => ({ name, camel: camel(name) }));
}

/** What the front end has below `APP_URL`, and what it does there. */
function linkTargets(tree: Map<string, ComposedFile>) {
  return rowsBelow(tree, 'below `APP_URL`').flatMap((row) => {
    const [, path = '', does = ''] = /^\| `([^`]+)` \| (.+?) *\|$/.exec(row) ?? [];
    return path ? [{ path, does }] : [];
  });
}

/** The rows of each table of a feature whose first column has this head. */
function rowsBelow(tree: Map<string, ComposedFile>, head: string): string[] {
  const tables = new RegExp(`^\\| ${head} \\|.*\\n\\|[-| ]+\\|\\n((?:\\|.*\\n)+)`, 'gm');
  return featureTexts(tree).flatMap(({ text }) =>
    [...text.matchAll(tables)].flatMap(([, rows = '']) => rows.trimEnd().split('\n')),
  );
}

/** The documentation that features bring, sorted by path. */
function featureTexts(tree: Map<string, ComposedFile>): { path: string; text: string }[] {
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
