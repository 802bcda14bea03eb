import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { startLoad } from './load.js';
import { printTable, type Row } from './report.js';
import { measureCommandLine } from './sections/command-line.js';
import { measureLogin } from './sections/login.js';
import { measurePages } from './sections/pages.js';
import { measureRequests } from './sections/requests.js';
import { measureSandbox } from './sections/sandbox.js';
import { measureStart } from './sections/start.js';
import { measureUsersPage } from './sections/users-page.js';
import { measureWebhooks } from './sections/webhooks.js';
import { buildProcesses, workFolder } from './server.js';
import { emitService, type Framework, frameworks, settings } from './service.js';

/**
 * `npm run bench`: everything in one run; `-- --quick` with fewer rounds; `-- --only <section>`; `-- --framework hono`.
 */
const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, only: { type: 'string' }, framework: { type: 'string' } },
});
const isQuick = values.quick === true;
const rounds = isQuick ? 3 : 9;
const measured = frameworks.filter((name) => name === (values.framework ?? name));

await rm(workFolder, { recursive: true, force: true });
await buildProcesses();
const load = startLoad();
const onEach = async (measure: (framework: Framework) => Promise<Row[]>) => {
  const rows: Row[] = [];
  for (const framework of measured) rows.push(...(await measure(framework)));
  return rows;
};
const sections: Record<string, () => Promise<Row[]>> = {
  'command-line': () => measureCommandLine(isQuick ? 5 : 21),
  requests: () => onEach((framework) => measureRequests(load, rounds, framework)),
  login: () => onEach((framework) => measureLogin(load, rounds, framework)),
  start: () => onEach((framework) => measureStart(rounds, framework)),
  webhooks: () => measureWebhooks(load, rounds),
  pages: () => onEach((framework) => measurePages(load, rounds, framework)),
  'users-page': () => measureUsersPage(load, rounds),
  sandbox: () => measureSandbox(load, isQuick),
};
const chosen = Object.keys(sections).filter((name) => name === (values.only ?? name));
if (chosen.some((name) => name !== 'command-line')) {
  // Webhooks and scripts are measured on the first framework only.
  for (const framework of new Set([...measured, frameworks[0]])) await emitService(framework);
}
const rows: Row[] = [];
for (const name of chosen) {
  process.stderr.write(`${name} …\n`);
  rows.push(...((await sections[name]?.()) ?? []));
}
load.stop();
process.stdout.write(`\nNode ${process.version}. The service: ${settings}.\n\n`);
printTable(rows);
