import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import ejs from 'ejs';
import { templatesFolder } from '../package-root.js';
import type * as z from '../packages/zod.js';
import type { Catalog } from './catalog.js';
import { type Layer, layerFile, packageFragment } from './layer.js';

/**
 * Reads all layers below a templates folder, by default this package's: each folder, or folder within a folder, that has
 * a `layer.json`, and the choices that lie in it. The generator itself reads the pack that `npm run build` makes.
 * @throws Error if a `layer.json` or `package.json` does not match `layer.ts`, or two layers share a name
 */
export function readCatalog(templates = templatesFolder): Catalog {
  const layers = layerFolders(templates).flatMap((folder) => {
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
  const said = checked(layerFile, join(folder, 'layer.json'));
  checked(packageFragment, join(folder, 'package.json'));
  const files = () => readFiles(folder);
  return { name: basename(folder), folder, choiceOf, files, ...said };
}

/** The files in a layer's folder, without those of its choices; of a list the function that EJS makes of it. */
function readFiles(folder: string): ReadonlyMap<string, Buffer> {
  const paths = pathsBelow(folder, '').filter((path) => !path.startsWith('choices/'));
  return new Map(paths.map((path) => [path, readTemplate(join(folder, path))]));
}

/** A list becomes the body of a function here, not in each run: EJS takes 5 ms for all of them. */
function readTemplate(filename: string): Buffer {
  const content = readFileSync(filename);
  if (!filename.endsWith('.ejs')) return content;
  const template = new ejs.Template(content.toString(), { filename, compileDebug: false });
  template.compile();
  return Buffer.from(template.source);
}

function pathsBelow(folder: string, prefix: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = prefix + entry.name;
      if (!entry.isDirectory()) return [path];
      return pathsBelow(join(folder, entry.name), `${path}/`);
    });
}

function checked<Schema extends z.ZodMiniType>(schema: Schema, path: string): z.infer<Schema> {
  const parsed = schema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.code}`);
  throw new Error(`${path}: ${problems.join(', ')}`);
}
