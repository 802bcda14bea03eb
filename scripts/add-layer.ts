import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { layersOf } from '../src/catalog/catalog.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { UserError } from '../src/errors.js';
import { templatesFolder } from '../src/package-root.js';
import { copySibling } from './add-layer/copy-sibling.js';
import { featureFiles } from './add-layer/feature-files.js';
import { nextSteps } from './add-layer/next-steps.js';
import { type Place, placeOf, siblingOf } from './add-layer/place.js';
import { projectFiles } from './play/project-files.js';
import { runScript } from './play/run-script.js';

/**
 * Makes a new layer that works from the start: a feature with an empty route table, or a database or framework as a copy of
 * its sibling. Prints what is to be done next.
 */
const betweenOrders = 10;

await runScript(async () => {
  const { path, group } = readArguments();
  const catalog = readCatalog(templatesFolder);
  const place = placeOf(catalog, path, group);
  const order =
    betweenOrders + Math.max(0, ...layersOf(catalog, place.group).map((it) => it.order));
  const sibling = siblingOf(catalog, place.group);
  const isFeature = path.startsWith('features/');
  if (isFeature || !sibling) write(place, featureFiles(place, order));
  else copySibling(sibling, place, order);

  console.log(`Made templates/${path}:`);
  for (const file of projectFiles(place.folder)) console.log(`  ${file}`);
  console.log('\nFirst `npm install`: the lock file has to learn of the new workspace.');
  if (isFeature) console.log(`Then (CONTRIBUTING.md):\n\n${nextSteps(place)}`);
  else
    console.log(`Then make each file that of ${place.name}: all of them are ${sibling?.title}'s.`);
});

function write({ folder }: Place, files: Map<string, string>): void {
  for (const [path, text] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

function readArguments(): { path: string; group: string | undefined } {
  try {
    const options = { group: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [path = '', more] = positionals;
    if (more !== undefined) throw new UserError('One layer at a time.');
    return { path: path.replace(/^templates\//, '').replace(/\/$/, ''), group: values.group };
  } catch (error) {
    throw new UserError((error as Error).message);
  }
}
