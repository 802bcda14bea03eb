import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Layer } from '../../src/catalog/layer.js';
import { templatesFolder } from '../../src/package-root.js';
import type { Edit } from './edits.js';
import type { Rendering } from './render.js';
import { templatePath } from './template-path.js';

/** What became of an edit, as a line for people; `isOpen` if somebody has to look at it. */
export interface Outcome {
  line: string;
  isOpen: boolean;
}

/**
 * Brings an edit to the layer that the file comes from.
 * @param into the layer that takes new files; without it they are only named
 */
export function bringHome(edit: Edit, { layers }: Rendering, into: Layer | undefined): Outcome {
  switch (edit.is) {
    case 'home':
      writeFileSync(edit.template, edit.content);
      return { line: `${edit.path} → ${shown(edit.template)}`, isOpen: false };
    case 'conflict':
      return open(
        edit,
        `its template has changed since too: merge it into ${shown(edit.template)}`,
      );
    case 'rendered':
      return open(edit, `it is rendered from a list: edit ${shown(edit.template)}`);
    case 'merged':
      return open(edit, `it is merged from all layers: edit ${mergedFrom(edit.path, layers)}`);
    case 'deleted':
      return open(edit, `deleted here; for good it is by deleting ${shown(edit.template)}`);
    case 'new':
      return into ? takeInto(into, edit) : open(edit, 'new; --into <layer> takes it there');
  }
}

function takeInto(layer: Layer, { path, content }: Edit & { is: 'new' }): Outcome {
  const template = join(layer.folder, 'files', templatePath(path));
  if (existsSync(template)) return open({ path }, `new, but ${shown(template)} exists`);
  mkdirSync(dirname(template), { recursive: true });
  writeFileSync(template, content);
  return { line: `${path} → ${shown(template)} (new)`, isOpen: false };
}

function open({ path }: { path: string }, reason: string): Outcome {
  return { line: `${path}: ${reason}`, isOpen: true };
}

/** The fragments of a merged file. */
function mergedFrom(path: string, layers: Layer[]): string {
  const name = path === '.env.example' ? 'env.example' : path;
  const fragments = layers.filter(({ folder }) => existsSync(join(folder, name)));
  return `${name} of ${fragments.map((layer) => layer.name).join(' or ')}`;
}

function shown(template: string | undefined): string {
  if (template === undefined) return 'its part of each layer';
  return relative(resolve(templatesFolder, '..'), template).split(sep).join('/');
}
