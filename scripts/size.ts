import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { planFromTemplates } from '../src/plan/plan-project.js';
import { withMarkedPart } from './marked-part.js';
import { repositoryFolder } from './matrix/child.js';
import { largest } from './matrix/combinations.js';
import { figuresOf } from './size/measure.js';

/**
 * Prints how large the smallest and the fullest emitted service are, and the fullest one without pages. `--check` fails if one is above its ceiling;
 * `--write` lowers the ceiling to what is measured and puts the table into the README. Raising it is a decision: do it
 * by hand, in a commit that says why.
 */
const ceilingFile = join(repositoryFolder, 'scripts/size/ceiling.json');
const readme = join(repositoryFolder, 'README.md');
/** How far below its ceiling a figure may stay, as a fraction. */
const tolerance = 0.03;

const catalog = readCatalog();
const everything = largest(catalog);
const { framework, database, packageManager } = everything;
const least = { framework, database, packageManager, methods: ['password'] };
const smallest = { ...least, features: ['registration'], name: 'smallest' };
const features = everything.features.filter((name) => !['pages', 'admin-panel'].includes(name));
const sizes = {
  smallest: figuresOf(planFromTemplates(catalog, smallest)),
  withoutPages: figuresOf(planFromTemplates(catalog, { ...everything, features })),
  fullest: figuresOf(planFromTemplates(catalog, everything)),
};
const columns = Object.values(sizes);
const table = [
  `| on ${framework} and ${database} | password and registration | everything but pages | everything |`,
  '|---|---|---|---|',
  ...sizes.smallest.map(({ title }, row) => {
    const cells = columns.map((figures) => figures[row]?.text ?? figures[row]?.value);
    return `| ${title} | ${cells.join(' | ')} |`;
  }),
].join('\n');
console.log(table);

const ceilings: Record<string, Record<string, number>> = JSON.parse(
  readFileSync(ceilingFile, 'utf8'),
);
for (const [name, figures] of Object.entries(sizes)) {
  const ceiling = ceilings[name] ?? {};
  for (const { key = '', value } of figures) {
    const most = ceiling[key];
    if (most === undefined) continue;
    const figure = `${name}: ${key} is ${value}, the ceiling is ${most}`;
    if (value > most) {
      console.error(`${figure}. Less code, or a decision to raise it.`);
      if (process.argv.includes('--check')) process.exitCode = 1;
    }
    if (value < most * (1 - tolerance)) {
      console.log(`${figure}. Lower it: npm run size -- --write`);
    }
    ceiling[key] = Math.min(value, most);
  }
}

if (process.argv.includes('--write')) {
  writeFileSync(ceilingFile, `${JSON.stringify(ceilings, null, 2)}\n`);
  writeFileSync(readme, withMarkedPart(readFileSync(readme, 'utf8'), 'size', table));
}
