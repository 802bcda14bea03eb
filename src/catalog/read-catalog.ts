import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Layer, type LayerGroup, layerFile } from './layer.js';

/** Every layer there is, in the order in which people see them. */
export type Catalog = readonly Layer[];

/**
 * Reads all layers below a templates folder: each folder, or folder within a folder, that has a `layer.json`, and the
 * choices that lie in it.
 * @throws Error if a `layer.json` is not as `layerFile` describes it, or two layers share a name
 */
export function readCatalog(templatesFolder: string): Catalog {
  const layers = layerFolders(templatesFolder).flatMap((folder) => {
    const layer = readLayer(folder);
    return [layer, ...choiceFolders(folder).map((choice) => readLayer(choice, layer.name))];
  });
  const seen = new Set<string>();
  for (const { name } of layers) {
    if (seen.has(name)) throw new Error(`two layers are named ${name}`);
    seen.add(name);
  }
  return layers.sort((a, b) => a.order - b.order || (a.name < b.name ? -1 : 1));
}

function layerFolders(folder: string, depth = 2): string[] {
  if (existsSync(join(folder, 'layer.json'))) return [folder];
  if (depth === 0) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .flatMap((entry) => layerFolders(join(folder, entry.name), depth - 1));
}

function choiceFolders(folder: string): string[] {
  const choices = join(folder, 'choices');
  return existsSync(choices) ? layerFolders(choices, 1) : [];
}

function readLayer(folder: string, choiceOf?: string): Layer {
  const path = join(folder, 'layer.json');
  const parsed = layerFile.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.code}`);
    throw new Error(`${path}: ${problems.join(', ')}`);
  }
  return { name: basename(folder), folder, choiceOf, ...parsed.data };
}

/** The layers which one question offers. */
export function layersOf(catalog: Catalog, group: LayerGroup): Layer[] {
  return catalog.filter((layer) => layer.group === group);
}

/** The layers that the question of one layer offers. */
export function choicesOf(catalog: Catalog, layerName: string): Layer[] {
  return catalog.filter(({ choiceOf }) => choiceOf === layerName);
}

/** @throws Error if there is no such layer: names from people are checked before they come here */
export function layerNamed(catalog: Catalog, name: string): Layer {
  const layer = catalog.find((candidate) => candidate.name === name);
  if (!layer) throw new Error(`there is no layer named ${name}`);
  return layer;
}
