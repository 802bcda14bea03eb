import { buildProcesses } from './build-processes.js';
import { startLoadGenerator } from './load.js';
import { printTable } from './report.js';
import { measureMeAndRefresh } from './sections/me-and-refresh.js';
import { forgetDatabases } from './service.js';

await buildProcesses();
await forgetDatabases();
const load = startLoadGenerator();
printTable(await measureMeAndRefresh(load, { rounds: 7, count: 12_000, seconds: 3 }));
load.stop();
