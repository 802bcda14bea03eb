import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import type { Advisory } from '../src/advisories/advisory.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { readSources } from '../src/catalog/read-sources.js';
import { advisoriesFolder, generatorVersion } from '../src/package-root.js';
import { idOf, renamedBy } from '../src/plan/ownership.js';
import { isChangedBy, removedLines, textsBefore } from './advisory/history.js';

/**
 * Starts an advisory from git history: the texts before a fix and the lines that it removed. See docs/advisories.md.
 */
const command = new Command('add-advisory')
  .argument('<id>', 'such as CAS-2027-001')
  .argument('<paths...>', 'emitted paths of the templates concerned')
  .requiredOption('--fixed-by <commit>', 'the commit that fixed it')
  .option('--since <commit>', 'texts of before this commit did not have it')
  .parse();

const [id = '', ...paths] = command.args;
const { fixedBy, since } = command.opts<{ fixedBy: string; since?: string }>();
const catalog = readCatalog();
const sources = readSources([...catalog]);

const files: Advisory['files'] = paths.flatMap((path) => {
  const templates = sources.filter((source) => source.path === path).map(({ from }) => from);
  if (templates.length === 0) command.error(`no template is emitted to ${path}`);
  if (templates.some((from) => from.endsWith('.ejs'))) {
    command.error(`${path} is rendered: hash what was emitted by hand`);
  }
  // Each template has its own entry, because a copy comes from one of them and never has the lines of all.
  const changed = templates.filter((template) => isChangedBy(template, fixedBy));
  if (changed.length === 0) command.error(`${fixedBy} changes no template of ${path}`);
  return changed.map((template) => ({
    id: idOf(path, renamedBy(catalog)),
    sha256: textsBefore(template, fixedBy, since),
    lines: removedLines(template, fixedBy),
  }));
});

const advisory: Advisory = {
  id,
  title: '',
  severity: 'moderate',
  published: new Date().toISOString().slice(0, 10),
  details: '',
  fixedIn: generatorVersion(),
  files,
};
const target = join(advisoriesFolder, `${id}.json`);
if (existsSync(target)) command.error(`${target} is there already`);
mkdirSync(advisoriesFolder, { recursive: true });
writeFileSync(target, `${JSON.stringify(advisory, null, 2)}\n`);
console.log(
  `${target}: fill in its title, severity and details, and check the lines and the version.`,
);
