import { checkAll } from '../answers/check.js';
import { packageManagers } from '../answers/package-managers.js';
import { packageNameOf } from '../answers/project-name.js';
import { type Answers, questionsFrom } from '../answers/questions.js';
import type { Catalog } from '../catalog/catalog.js';
import { chooseLayers } from '../catalog/choose-layers.js';
import { readFragments, readSources, type Source } from '../catalog/read-sources.js';
import { generatorVersion } from '../package-root.js';
import { mergeComposeFiles } from './compose-yaml.js';
import { type EnvVariable, mergeEnvExamples } from './env-example.js';
import { joinSections } from './join-sections.js';
import { listContext } from './list-context.js';
import type { ManifestFile } from './manifest.js';
import { idOf, kindOf, modeOf, ownersBy, renamedBy } from './ownership.js';
import { mergePackageJson } from './package-json.js';
import { renderLists } from './render-lists.js';

/** A file of the project, before anything is written. */
export interface PlannedFile
  extends Pick<ManifestFile, 'id' | 'path' | 'mode' | 'kind' | 'owner' | 'layers'> {
  content: Buffer;
}

export interface Plan {
  answers: Answers;
  version: string;
  /** Sorted by path. */
  files: PlannedFile[];
  env: EnvVariable[];
  /** What to type in the project's folder once its dependencies are installed. */
  nextSteps: string[];
  /** Its URLs when it runs as it was made. */
  urls: Record<string, string>;
}

/**
 * Turns answers and templates into files. Nothing is written here, and the same answers give the same bytes.
 * @param given the answers, checked here: those of a project may be edited, or of another version
 * @throws UserError as `checkAll` and `chooseLayers` do; Error if the layers contradict each other: a fault of the templates
 */
export function planFromTemplates(catalog: Catalog, given: unknown): Plan {
  const answers = checkAll(questionsFrom(catalog), given);
  const layers = chooseLayers(catalog, answers);
  const fragments = readFragments(layers);
  const version = generatorVersion();
  const tree = joinSections(compose(readSources(layers)));
  const renamed = renamedBy(layers);
  const ownerOf = ownersBy(layers);
  const packageJson = mergePackageJson(packageNameOf(answers.name), fragments);
  const { text: envExample, variables: env } = mergeEnvExamples(fragments);
  const context = listContext({ answers, version, layers, fragments, tree, packageJson, env });
  const sources = [...tree.values()].map(({ source }) => source);
  const lists = renderLists(sources, context);

  const { files: own, run } = packageManagers[answers.packageManager];
  /** Templates write the commands of npm. */
  const forPackageManager = (text: Buffer) =>
    run !== 'npm run' && text.includes('npm run ')
      ? Buffer.from(text.toString().replaceAll(/\bnpm run /g, `${run} `))
      : text;
  const mergedTexts = {
    'package.json': `${JSON.stringify(packageJson, null, 2)}\n`,
    '.env.example': envExample,
    'compose.yaml': mergeComposeFiles(fragments),
    ...own,
  };
  const from = layers.map(({ name }) => name);
  const merged = Object.entries(mergedTexts).flatMap(([path, text]) =>
    text ? [{ path, content: Buffer.from(text), from }] : [],
  );
  const composed = [...tree].map(([path, { source, layers: from }]) => {
    return { path, content: forPackageManager(lists.get(path) ?? source.content), from };
  });
  for (const { path } of merged) {
    if (tree.has(path)) throw new Error(`${path} is merged from all layers, none may bring it`);
  }

  return {
    answers,
    version,
    files: [...composed, ...merged]
      .map(({ path, content, from }) => ({
        id: idOf(path, renamed),
        path,
        content,
        mode: modeOf(content),
        kind: kindOf(path, content),
        owner: ownerOf(path),
        layers: from,
      }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
    env,
    nextSteps: context.nextSteps,
    urls: Object.assign({}, ...layers.map((layer) => layer.urls)),
  };
}

/** The template that won a path, and the layers that contribute to it. */
export interface ComposedFile {
  source: Source;
  layers: string[];
}

/**
 * Lays the templates over one another: a later one takes the place of an earlier one.
 * @throws Error if a layer takes a path that is neither in its `replaces` nor below `when/`
 */
export function compose(sources: Source[]): Map<string, ComposedFile> {
  const tree = new Map<string, ComposedFile>();
  for (const source of sources) {
    const below = tree.get(source.path);
    if (below) refuseUnannounced(source, below.source);
    tree.set(source.path, { source, layers: [...(below?.layers ?? []), source.layer.name] });
  }
  return tree;
}

function refuseUnannounced(above: Source, below: Source): void {
  const isAnnounced = above.layer.replaces.includes(above.path);
  // Of two overlays the later one must declare that it replaces.
  const mayReplace = above.isOverlay
    ? isAnnounced || !below.isOverlay
    : isAnnounced && !below.isOverlay;
  if (!mayReplace) {
    throw new Error(
      `${above.path} comes from ${below.from} and from ${above.from}: say so in "replaces" or put it below when/`,
    );
  }
}
