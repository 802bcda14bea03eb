import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { templatesFolder } from '../src/package-root.js';
import { planFromTemplates } from '../src/plan/plan-project.js';
import { withMarkedPart } from './marked-part.js';
import { repositoryFolder } from './matrix/child.js';
import { largest } from './matrix/combinations.js';
import { aboveCeiling, type Ceiling, farBelowCeiling, lowered } from './size/ceiling.js';
import { type Size, sizeOf } from './size/measure.js';

/**
 * Prints how large the smallest and the fullest emitted service are. `--check` fails if one is above its ceiling;
 * `--write` lowers the ceiling to what is measured and puts the table into the README.
 */
const ceilingFile = join(repositoryFolder, 'scripts/size/ceiling.json');
const readme = join(repositoryFolder, 'README.md');

const catalog = readCatalog(templatesFolder);
const everything = largest(catalog);
const { framework, database, packageManager } = everything;
const least = { framework, database, packageManager, methods: ['password'] };
const smallest = { ...least, features: ['registration'], name: 'smallest' };
const sizes = {
  smallest: sizeOf(await planFromTemplates(catalog, smallest)),
  fullest: sizeOf(await planFromTemplates(catalog, everything)),
};
const table = tableOf(sizes.smallest, sizes.fullest);
console.log(table);

const ceilings: Record<keyof typeof sizes, Ceiling> = JSON.parse(readFileSync(ceilingFile, 'utf8'));
for (const name of ['smallest', 'fullest'] as const) {
  for (const figure of aboveCeiling(sizes[name], ceilings[name])) {
    console.error(`${name}: ${figure}. Less code, or a decision to raise it.`);
    if (process.argv.includes('--check')) process.exitCode = 1;
  }
  for (const figure of farBelowCeiling(sizes[name], ceilings[name])) {
    console.log(`${name}: ${figure}. Lower it: npm run size -- --write`);
  }
  ceilings[name] = lowered(sizes[name], ceilings[name]);
}

if (process.argv.includes('--write')) {
  writeFileSync(ceilingFile, `${JSON.stringify(ceilings, null, 2)}\n`);
  writeFileSync(readme, withMarkedPart(readFileSync(readme, 'utf8'), 'size', table));
}

function tableOf(one: Size, other: Size): string {
  const row = (title: string, textOf: (size: Size) => string | number) =>
    `| ${title} | ${textOf(one)} | ${textOf(other)} |`;
  return [
    `| on ${framework} and ${database} | password and registration | everything |`,
    '|---|---|---|',
    row('source without tests: files', ({ sourceFiles }) => sourceFiles),
    row('lines', ({ sourceLines }) => sourceLines),
    row('lines of the median file', ({ medianLines }) => medianLines),
    row('lines of the largest file', ({ largest: { path, lines } }) => `${lines} (\`${path}\`)`),
    row('entries directly below `src/`', ({ entriesOfSrc }) => entriesOfSrc),
    row('folders with more than 15 entries', ({ crowdedFolders }) => crowdedFolders),
    row('tests: files', ({ testFiles }) => testFiles),
    row('tests: lines', ({ testLines }) => testLines),
    row('files in the project', ({ files }) => files),
    row('packages in production', ({ packages }) => packages),
  ].join('\n');
}
