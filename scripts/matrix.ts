import { Command } from 'commander';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { templatesFolder } from '../src/package-root.js';
import { refuseStaleTemplates } from './build/pack-templates.js';
import { repositoryFolder } from './matrix/child.js';
import { installProblem } from './matrix/real-install.js';
import { complaint, hasFailed, summary, table } from './matrix/report.js';
import { type CheckName, checkNames, type Outcome } from './matrix/run-combination.js';
import { plannedRuns, runAll, type Selection } from './matrix/runs.js';
import { mysql, mysql8 } from './services/mysql.js';
import { listensOn } from './services/service.js';

/** Emits every combination of choices and holds each to the standard of hand-written code. */
const command = new Command('matrix')
  .option('--only <text>', 'combinations with this in their name')
  .option('--pairwise', 'a selection in which every pair of choices occurs')
  .option('--types', 'all but the own tests of the services')
  .option('--tests', 'only the own tests of the services')
  .option(
    '--instances <count>',
    'only the own tests, of services that share a Redis, on so many instances',
    Number,
  )
  .option('--list', 'print the names, run nothing')
  .parse();
const { list, ...asked }: Selection & { list?: true } = command.opts();
const onMysql: CheckName[] = [];
if (await listensOn(mysql.port)) onMysql.push('mysql');
if (await listensOn(mysql8.port)) onMysql.push('mysql8');
const selection = { ...asked, onMysql };
const isWhole = !asked.only && !asked.types && !asked.tests && !asked.instances;

refuseStaleTemplates(repositoryFolder);
const catalog = readCatalog(templatesFolder);
const runs = plannedRuns(catalog, selection);
if (runs.length === 0) command.error('no combination has such a name');

if (list) {
  for (const { combination } of runs) console.log(combination.name);
} else {
  const start = performance.now();
  let done = 0;
  const whenDone = (outcome: Outcome) => {
    const ending = hasFailed(outcome) ? 'failed' : 'passed';
    console.log(`${++done}/${runs.length} ${outcome.combination.name} ${ending}`);
  };
  const outcomes = await runAll(catalog, runs, whenDone, selection);
  const install = isWhole ? await installProblem() : undefined;
  const complaints = [...outcomes.map(complaint), install ?? ''].filter(Boolean);
  console.log(`\n${table(outcomes, checkNames)}\n\n${summary(outcomes)}\n`);
  if (isWhole) console.log(`outside this repository: ${install ? 'failed' : 'passed'}`);
  for (const text of complaints) console.log(`\n${text}`);
  if (
    !asked.types &&
    onMysql.length < 2 &&
    runs.some(({ combination }) => combination.database === 'mysql')
  )
    console.log('not on both MySQL themselves: `npm run services -- mysql mysql8` starts them');
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  const failed = outcomes.filter(hasFailed).length;
  console.log(`${outcomes.length - failed} passed, ${failed} failed, ${seconds} s`);
  if (complaints.length > 0) process.exitCode = 1;
}
