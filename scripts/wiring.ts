import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Answers } from '../src/answers/questions.js';
import type { Catalog } from '../src/catalog/catalog.js';
import { chooseLayers } from '../src/catalog/choose-layers.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { templatesFolder } from '../src/package-root.js';
import { planFromTemplates } from '../src/plan/plan-project.js';
import { writeTree } from '../src/project/write-tree.js';
import { repositoryFolder } from './matrix/child.js';
import { coveringCombinations } from './matrix/combinations.js';

/**
 * Renders the wiring lists of services with each framework and each database into `.wiring/`, with a tsconfig.json that
 * overlays them and the layers, so that editors and tsc understand every template in place.
 */
const wiringFolder = join(repositoryFolder, '.wiring');

const catalog = readCatalog();
const combinations = coveringCombinations(catalog);
rmSync(wiringFolder, { recursive: true, force: true });
mkdirSync(wiringFolder);
for (const answers of combinations) await wire(catalog, answers);
writeJson(join(wiringFolder, 'tsconfig.json'), {
  files: [],
  references: combinations.map(({ name }) => ({ path: `./${name}` })),
});

async function wire(catalog: Catalog, answers: Answers): Promise<void> {
  const folder = join(wiringFolder, answers.name);
  const { files } = planFromTemplates(catalog, answers);
  const lists = files.filter(({ path, owner }) => owner === 'list' && path.endsWith('.ts'));
  await writeTree(folder, lists);
  const roots = [
    '.',
    // What the generator's own tests add to an emitted service.
    slashed(relative(folder, join(repositoryFolder, 'test/laid-on'))),
    ...layerRoots(catalog, answers).map((root) => slashed(relative(folder, root))),
  ];
  writeJson(join(folder, 'tsconfig.json'), {
    extends: slashed(relative(folder, join(templatesFolder, 'base/files/_tsconfig.json'))),
    compilerOptions: { rootDirs: roots },
    include: roots.map((root) => `${root}/**/*.ts`),
  });
}

/** The folders whose content ends up in the project or is laid on it, overlays first: they win. */
function layerRoots(catalog: Catalog, answers: Answers): string[] {
  const layers = chooseLayers(catalog, answers);
  const overlays = layers.flatMap(({ folder }) =>
    layers.map(({ name }) => join(folder, 'when', name)),
  );
  const laidOn = layers.map(({ name }) => join(repositoryFolder, 'test/laid-on-with', name));
  const own = layers.map(({ folder }) => join(folder, 'files'));
  return [...overlays, ...laidOn, ...own].filter(existsSync);
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}
