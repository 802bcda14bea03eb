import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Catalog, layersOf } from '../../src/catalog/catalog.js';
import type { LayerGroup } from '../../src/catalog/layer.js';
import { UserError } from '../../src/errors.js';
import { templatesFolder } from '../../src/package-root.js';

/** Where a new layer goes, and what it is. */
export interface Place {
  name: string;
  group: LayerGroup;
  /** Absolute; it does not exist. */
  folder: string;
}

const groupsOf: { [kind: string]: LayerGroup[] } = {
  features: ['method', 'feature', 'internal'],
  databases: ['database'],
  frameworks: ['framework'],
};

const usage =
  'npm run add-layer -- features/<name> --group method|feature|internal, databases/<name> or frameworks/<name>';

// `--no-<feature>` leaves a feature out: these flags are taken.
const takenNames = ['color', 'git', 'install', 'none'];

/**
 * @param path as it will stand below `templates/`
 * @throws UserError if there cannot be a layer at the path or of the group, or there is one of that name
 */
export function placeOf(catalog: Catalog, path: string, wanted: string | undefined): Place {
  const [kind = '', name = '', ...rest] = path.split('/');
  const groups = groupsOf[kind];
  if (!groups || rest.length > 0) throw new UserError(`${path} is no place for a layer.`, 1, usage);
  refuseName(catalog, name);
  const group = groups.length === 1 ? groups[0] : groups.find((each) => each === wanted);
  if (!group) throw new UserError(`Which group does ${name} belong to?`, 1, usage);
  if (wanted !== undefined && wanted !== group) {
    throw new UserError(`A layer of ${kind} is of the group ${group}.`, 1, usage);
  }
  return { name, group, folder: join(templatesFolder, kind, name) };
}

/** The layer that people get if they say nothing: the model for its siblings. */
export function siblingOf(catalog: Catalog, group: LayerGroup) {
  const siblings = layersOf(catalog, group);
  return siblings.find((layer) => layer.default) ?? siblings[0];
}

function refuseName(catalog: Catalog, name: string): void {
  if (!/^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/.test(name)) {
    throw new UserError(
      `The name ${JSON.stringify(name)} is not in kebab case: a-z, 0-9, hyphens.`,
    );
  }
  if (catalog.some((layer) => layer.name === name)) {
    throw new UserError(`There is a layer named ${name} already.`);
  }
  const inBase = catalog.some(({ group, folder }) => {
    return group === 'base' && existsSync(join(folder, 'files', 'src', name));
  });
  if (inBase || takenNames.includes(name)) throw new UserError(`The name ${name} is taken.`);
}
