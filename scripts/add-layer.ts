import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { outputFileSync } from 'fs-extra/esm';
import { type Catalog, layersOf } from '../src/catalog/catalog.js';
import type { LayerGroup } from '../src/catalog/layer.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { UserError } from '../src/errors.js';
import { templatesFolder } from '../src/package-root.js';
import { camel } from '../src/plan/list-context.js';
import { runScript } from './play/render.js';

/**
 * Creates a new layer that works from the start: a feature with an empty route table, or a database or framework as a
 * copy of its sibling.
 */
const groupsOf: { [kind: string]: LayerGroup[] } = {
  features: ['method', 'feature', 'internal'],
  databases: ['database'],
  frameworks: ['framework'],
};
const usage =
  'npm run add-layer -- features/<name> --group method|feature|internal, databases/<name> or frameworks/<name>';
// `--no-<feature>` leaves a feature out, so these names would clash with its flags.
const takenNames = ['color', 'git', 'install', 'none'];
const betweenOrders = 10;

await runScript(async () => {
  const { path, wanted } = readArguments();
  const catalog = readCatalog(templatesFolder);
  const { name, group } = placeOf(catalog, path, wanted);
  const siblings = layersOf(catalog, group);
  const order = betweenOrders + Math.max(0, ...siblings.map((layer) => layer.order));
  const sibling = siblings.find((layer) => layer.default) ?? siblings[0];
  const folder = join(templatesFolder, path);
  const words = name.replaceAll('-', ' ');
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  if (path.startsWith('features/') || !sibling) {
    const says = { title, hint: title, group, default: group !== 'internal', order };
    for (const [file, text] of Object.entries(featureFiles(name, title, says))) {
      outputFileSync(join(folder, file), text);
    }
  } else {
    const filter = (from: string) => basename(from) !== 'node_modules';
    cpSync(sibling.folder, folder, { recursive: true, filter });
    const hint = `${title}, so far a copy of ${sibling.title}`;
    rewrite(join(folder, 'layer.json'), { title, hint, default: false, order });
    rewrite(join(folder, 'package.json'), { name: `@templates/${name}` });
  }
  console.log(`Made templates/${path}:`);
  const made = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const entry of made.filter((each) => each.isFile())) {
    console.log(`  ${join(entry.parentPath, entry.name).slice(folder.length + 1)}`);
  }
  console.log('\nFirst `npm install`: the lock file has to learn of the new workspace.');
  console.log('Then CONTRIBUTING.md says what is next.');
});

/** A feature that does nothing yet, by path below its folder. It compiles, and its test passes. */
function featureFiles(name: string, title: string, says: object): Record<string, string> {
  const source = `files/src/features/${name}`;
  const workspace = { name: `@templates/${name}`, private: true, version: '0.0.0', type: 'module' };
  return {
    'layer.json': json(says),
    'package.json': json(workspace),
    'env.example': '',
    [`${source}/feature.ts`]: `import { defineFeature } from '../../feature.js';
import type { Route } from '../../http/route.js';

export const ${camel(name)} = defineFeature({
  routes: (): Route[] => [],
});
`,
    [`${source}/${name}.test.ts`]: `import { expect, it } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { startTestService } from '../../../test/service.js';

it('answers 404 as long as there is no route', async () => {
  const service = await startTestService();
  const { status } = await nativeClient(service).get('/${name}');
  expect(status).toBe(404);
});
`,
    [`files/docs/features/${name}.md`]: `# ${title}\n\nCode: \`src/features/${name}/\`.\n`,
  };
}

/** @throws UserError if there cannot be a layer at the path or of the group, or there is one of that name */
function placeOf(catalog: Catalog, path: string, wanted: string | undefined) {
  const [kind = '', name = '', ...rest] = path.split('/');
  const groups = groupsOf[kind];
  if (!groups || rest.length > 0) throw new UserError(`${path} is no place for a layer.`, usage);
  if (!/^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/.test(name)) {
    throw new UserError(
      `The name ${JSON.stringify(name)} is not in kebab case: a-z, 0-9, hyphens.`,
    );
  }
  if (catalog.some((layer) => layer.name === name)) {
    throw new UserError(`There is a layer named ${name} already.`);
  }
  const isInBase = existsSync(join(templatesFolder, 'base/files/src', name));
  if (isInBase || takenNames.includes(name)) throw new UserError(`The name ${name} is taken.`);
  const group = groups.length === 1 ? groups[0] : groups.find((each) => each === wanted);
  if (!group) throw new UserError(`Which group does ${name} belong to?`, usage);
  if (wanted !== undefined && wanted !== group) {
    throw new UserError(`A layer of ${kind} is of the group ${group}.`, usage);
  }
  return { name, group };
}

function readArguments(): { path: string; wanted: string | undefined } {
  try {
    const options = { group: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    return { path: (positionals[0] ?? '').replace(/^templates\/|\/$/g, ''), wanted: values.group };
  } catch (error) {
    throw new UserError((error as Error).message, usage);
  }
}

function rewrite(path: string, says: object): void {
  writeFileSync(path, json({ ...JSON.parse(readFileSync(path, 'utf8')), ...says }));
}

/** Puts short lists on one line, as the formatter does. */
function json(value: object): string {
  const text = JSON.stringify(value, null, 2).replace(
    /\[\s+([^[\]{}]*?)\s+\]/g,
    (_list, items: string) => `[${items.replace(/\s*\n\s*/g, ' ')}]`,
  );
  return `${text}\n`;
}
