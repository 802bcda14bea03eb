import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildProcesses } from './build-processes.js';
import { type Cost, compare, overConnections, share } from './compare.js';
import { emittedBy } from './emitted-by.js';
import { compareInProcess, openInProcess } from './in-process.js';
import { startLoadGenerator } from './load.js';
import { root } from './places.js';
import { microseconds, percent, printTable, type Row } from './report.js';

/**
 * `npm run bench:against -- <another checkout, installed and built> [--features a,b]`: the services that the two emit, in
 * one run. What a change costs is seen here, where two runs would differ more than the change: over HTTP, and then within
 * one process, where the smallest difference shows.
 */
const { values, positionals } = parseArgs({
  options: { features: { type: 'string' } },
  allowPositionals: true,
});
const [other] = positionals;
if (other === undefined) throw new Error('Which checkout? npm run bench:against -- <folder>');

const extent = { rounds: 9, count: 12_000, seconds: 3 };

await buildProcesses();
const before = await emittedBy(resolve(other), values.features);
const after = await emittedBy(root, values.features);
printTable([...(await overHttp()), ...(await withinProcess())]);
// Both services run timers of their own.
process.exit();

async function overHttp(): Promise<Row[]> {
  const servers = { before: await before.start(), after: await after.start() };
  const load = startLoadGenerator();
  const rows: Row[] = [];
  try {
    for (const [name, requests] of Object.entries(after.requests)) {
      const length = name === 'login' ? { ...extent, count: 200 } : extent;
      const contestants = {
        before: {
          server: servers.before,
          requests: overConnections(before.requests[name] ?? []),
        },
        after: { server: servers.after, requests: overConnections(requests) },
      };
      rows.push(rowOf(`${name}, over HTTP`, await compare(load, contestants, length)));
    }
    return rows;
  } finally {
    load.stop();
    await Promise.all([servers.before.stop(), servers.after.stop()]);
  }
}

async function withinProcess(): Promise<Row[]> {
  const sides = await Promise.all([openInProcess(before), openInProcess(after)]);
  const rows: Row[] = [];
  for (const [name, requests] of Object.entries(after.requests)) {
    const costs = await compareInProcess(
      [sides[0], sides[1]],
      [before.requests[name] ?? [], requests],
    );
    rows.push(rowOf(`${name}, within one process${name === 'login' ? ', no hash' : ''}`, costs));
  }
  await Promise.all(sides.map((side) => side.close()));
  return rows;
}

function rowOf(measure: string, { before, after }: { before: Cost; after: Cost }): Row {
  return {
    measure,
    ours: microseconds(after.cpu),
    against: microseconds(before.cpu),
    result: percent(share(before, after)),
    goal: '',
  };
}
