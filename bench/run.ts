import { parseArgs } from 'node:util';
import { buildProcesses } from './build-processes.js';
import { emitService } from './emit-service.js';
import { FIRST, KINDS, type Kind, nameOf } from './kinds.js';
import { startLoadGenerator } from './load.js';
import { printTable, type Row } from './report.js';
import { measureCommandLine } from './sections/command-line.js';
import { measureGrowth } from './sections/growth.js';
import { measureLogin } from './sections/login.js';
import { measureMeAndRefresh } from './sections/me-and-refresh.js';
import { measureSandbox } from './sections/sandbox.js';
import { measureStart } from './sections/start.js';
import { measureUpgrade } from './sections/upgrade.js';
import { measureWebhooks } from './sections/webhooks.js';
import { forgetDatabases, SETTINGS } from './service.js';

/**
 * `npm run bench`: everything in one run; `-- --quick` with fewer rounds; `-- --only <section>`; `-- --kind <part of a
 * name>`, such as hono or postgres, for the sections that are measured on each kind of service.
 */
const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, only: { type: 'string' }, kind: { type: 'string' } },
});
const kinds = KINDS.filter((kind) => nameOf(kind).includes(values.kind ?? ''));
const rounds = values.quick ? 3 : 9;
const extent = { rounds, count: 12_000, seconds: 3 };

await buildProcesses();
for (const kind of new Set([FIRST, ...kinds])) await emitService(kind);
await forgetDatabases();
const load = startLoadGenerator();
const sections: Record<string, () => Promise<Row[]>> = {
  requests: () => onEach((kind) => measureMeAndRefresh(load, extent, kind)),
  login: () => onEach((kind) => measureLogin(load, rounds, kind)),
  growth: () => measureGrowth(load, extent),
  webhooks: () => measureWebhooks(rounds),
  sandbox: () => measureSandbox(values.quick ?? false),
  start: () => onEach((kind) => measureStart(rounds, kind)),
  'command-line': () => measureCommandLine(values.quick ? 5 : 21),
  upgrade: () => measureUpgrade(values.quick ? 5 : 21),
};
const rows: Row[] = [];
for (const [name, measure] of Object.entries(sections)) {
  if (values.only !== undefined && values.only !== name) continue;
  process.stderr.write(`${name} …\n`);
  rows.push(...(await measure()));
}
load.stop();
await forgetDatabases();
process.stdout.write(`\nNode ${process.version}. The service: ${SETTINGS}.\n\n`);
printTable(rows);

async function onEach(measure: (kind: Kind) => Promise<Row[]>): Promise<Row[]> {
  const all: Row[] = [];
  for (const kind of kinds) {
    process.stderr.write(`  ${nameOf(kind)} …\n`);
    all.push(...(await measure(kind)));
  }
  return all;
}
