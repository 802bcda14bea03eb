import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Layer } from './layer.js';

/** A template file: where it comes from, which path it is emitted to, and whether it is an EJS list. */
export interface Source {
  layer: Layer;
  /** Absolute path of the template. */
  from: string;
  /** Emitted path, with slashes. */
  path: string;
  isList: boolean;
  /** True below `when/`: it may take the place of another layer's file. */
  isOverlay: boolean;
  content: Buffer;
}

/** What a layer contributes to the files that are merged from all layers. */
export interface Fragments {
  layer: Layer;
  packageJson: string;
  envExample: string | undefined;
  compose: string | undefined;
}

/** The template files of the chosen layers in the order in which they are laid over one another. */
export function readSources(layers: Layer[]): Source[] {
  const files = layers.flatMap((layer) => readFolder(layer, join(layer.folder, 'files'), false));
  const overlays = layers.flatMap((layer) =>
    layers.flatMap(({ name }) => readFolder(layer, join(layer.folder, 'when', name), true)),
  );
  return [...files, ...overlays];
}

/** The parts of package.json, .env.example and compose.yaml that the chosen layers bring. */
export function readFragments(layers: Layer[]): Fragments[] {
  return layers.map((layer) => ({
    layer,
    packageJson: readFileSync(join(layer.folder, 'package.json'), 'utf8'),
    envExample: readIfThere(join(layer.folder, 'env.example')),
    compose: readIfThere(join(layer.folder, 'compose.yaml')),
  }));
}

/**
 * The path a template is emitted to. `.ejs` goes, and so does the `_` that hides a file from programs here:
 * `_biome.json` → `biome.json`; without an extension it stands for a dot: `_gitignore` → `.gitignore`.
 */
export function emittedPath(templatePath: string): string {
  return templatePath
    .replace(/\.ejs$/, '')
    .replace(/(^|\/)_([^./]+)$/, '$1.$2')
    .replace(/(^|\/)_([^/]+)$/, '$1$2');
}

function readFolder(layer: Layer, folder: string, isOverlay: boolean): Source[] {
  return filesBelow(folder, '').map((templatePath) => {
    const from = join(folder, templatePath);
    return {
      layer,
      from,
      path: emittedPath(templatePath),
      isList: templatePath.endsWith('.ejs'),
      isOverlay,
      content: readFileSync(from),
    };
  });
}

function filesBelow(folder: string, prefix: string): string[] {
  if (prefix === '' && !existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = prefix + entry.name;
      if (!entry.isDirectory()) return [path];
      return filesBelow(join(folder, entry.name), `${path}/`);
    });
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
