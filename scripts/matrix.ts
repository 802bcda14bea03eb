import { Command } from 'commander';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { templatesFolder } from '../src/package-root.js';
import { refuseStaleTemplates } from './build/pack-templates.js';
import { repositoryFolder } from './matrix/child.js';
import { installProblem } from './matrix/real-install.js';
import { complaint, hasFailed, summary, table } from './matrix/report.js';
import { checkNames } from './matrix/run-combination.js';
import { plannedRuns, runAll, type Selection } from './matrix/runs.js';

/** Emits every combination of choices and holds each to the standard of hand-written code. */
const command = new Command('matrix')
  .option('--only <text>', 'combinations with this in their name')
  .option('--pairwise', 'a selection in which every pair of choices occurs')
  .option('--types', 'all but the own tests of the services')
  .option('--tests', 'only the own tests of the services')
  .option('--list', 'print the names, run nothing')
  .parse();
const selection: Selection & { list?: true } = command.opts();
const isWhole = !selection.only && !selection.types && !selection.tests;

refuseStaleTemplates(repositoryFolder);
const catalog = readCatalog(templatesFolder);
const runs = plannedRuns(catalog, selection);
if (runs.length === 0) command.error('no combination has such a name');

if (selection.list) {
  for (const { combination } of runs) console.log(combination.name);
} else {
  const start = performance.now();
  let done = 0;
  const outcomes = await runAll(catalog, runs, (outcome) => {
    const ending = hasFailed(outcome) ? 'failed' : 'passed';
    console.log(`${++done}/${runs.length} ${outcome.combination.name} ${ending}`);
  });
  const install = isWhole ? await installProblem() : undefined;
  const complaints = [...outcomes.map(complaint), install ?? ''].filter(Boolean);
  console.log(`\n${table(outcomes, checkNames)}\n\n${summary(outcomes)}\n`);
  if (isWhole) console.log(`outside this repository: ${install ? 'failed' : 'passed'}`);
  for (const text of complaints) console.log(`\n${text}`);
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  const failed = outcomes.filter(hasFailed).length;
  console.log(`${outcomes.length - failed} passed, ${failed} failed, ${seconds} s`);
  if (complaints.length > 0) process.exitCode = 1;
}
