import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { layersOf } from '../src/catalog/catalog.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { upgradePaths } from './upgrades/releases.js';
import { upgradesFolder, upgradeWithPeople } from './upgrades/upgrade-path.js';

/**
 * Tests that accounts survive every upgrade from one release to the next, on each database; arguments name
 * databases.
 */
const wanted = process.argv.slice(2);
const databases = layersOf(readCatalog(), 'database')
  .map(({ name }) => name)
  .filter((name) => wanted.length === 0 || wanted.includes(name));
const paths = await upgradePaths(join(upgradesFolder, 'releases'));

for (const path of paths) {
  for (const database of databases) {
    console.log(`\n${path.from.name} → ${path.to.name}, ${database}`);
    const outcome = await upgradeWithPeople(path, database, join(upgradesFolder, database));
    const widest = Math.max(...Object.keys(outcome).map((step) => step.length));
    for (const [step, said] of Object.entries(outcome)) {
      console.log(`  ${step.padEnd(widest)}  ${said}`);
      if (!said.startsWith('ok')) process.exitCode = 1;
    }
  }
}
rmSync(upgradesFolder, { recursive: true, force: true });
