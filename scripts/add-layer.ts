import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Command } from 'commander';
import { outputFileSync } from 'fs-extra/esm';
import { layersOf } from '../src/catalog/catalog.js';
import type { LayerGroup } from '../src/catalog/layer.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { templatesFolder } from '../src/package-root.js';
import { camel } from '../src/plan/list-context.js';
import { filesBelow } from './matrix/child.js';

/**
 * Creates a new layer that works from the start: a feature with an empty route table, or a database or framework as a
 * copy of its sibling.
 */
const groupsOf: { [kind: string]: LayerGroup[] } = {
  features: ['method', 'feature', 'internal'],
  databases: ['database'],
  frameworks: ['framework'],
};
// `--no-<feature>` leaves a feature out, so these names would clash with its flags.
const takenNames = ['color', 'git', 'install', 'none'];
const betweenOrders = 10;

const command: Command = new Command('add-layer')
  .argument('[path]', 'features/<name>, databases/<name> or frameworks/<name>', '')
  .option('--group <group>', 'of a feature: method, feature or internal')
  .showHelpAfterError()
  .parse();
const path = (command.processedArgs[0] as string).replace(/^templates\/|\/$/g, '');
const wanted: string | undefined = command.opts().group;

const catalog = readCatalog();
const { name, group } = placeOf(path);
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
console.log([`Made templates/${path}:`, ...filesBelow(folder)].join('\n  '));
console.log('\nFirst `npm install`: it adds the new workspace to the lock file.');
console.log('Then CONTRIBUTING.md says what is next.');

/** A feature that does nothing yet, by path below its folder. It compiles, and its test passes. */
function featureFiles(name: string, title: string, says: object): Record<string, string> {
  const source = `files/src/features/${name}`;
  const workspace = { name: `@templates/${name}`, private: true, version: '0.0.0', type: 'module' };
  return {
    'layer.json': json(says),
    'package.json': json(workspace),
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

/** The name and the group of a layer at the path; ends with an error if there can be none. */
function placeOf(path: string): { name: string; group: LayerGroup } {
  const [kind = '', name = '', ...rest] = path.split('/');
  const groups = groupsOf[kind];
  if (!groups || rest.length > 0) command.error(`${path} is no place for a layer.`);
  if (!/^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/.test(name)) {
    command.error(`The name ${JSON.stringify(name)} is not in kebab case: a-z, 0-9, hyphens.`);
  }
  if (catalog.some((layer) => layer.name === name)) {
    command.error(`There is a layer named ${name} already.`);
  }
  const isInBase = existsSync(join(templatesFolder, 'base/files/src', name));
  if (isInBase || takenNames.includes(name)) command.error(`The name ${name} is taken.`);
  const group = groups.length === 1 ? groups[0] : groups.find((each) => each === wanted);
  if (!group) command.error(`Which group does ${name} belong to?`);
  if (wanted !== undefined && wanted !== group) {
    command.error(`A layer of ${kind} is of the group ${group}.`);
  }
  return { name, group };
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
