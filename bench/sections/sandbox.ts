import vm from 'node:vm';
import type { Load, LoadRequest } from '../load.js';
import { atLeast, atMost, milliseconds, type Row } from '../report.js';
import { adminHeaders, send, startService } from '../service.js';

const goals = { rate: 500, p50: 5, healthMs: 100 };
const inParallel = 8;
const script = "const said = await actions['echo.say'](body); result = null";
/** Endless loops, floods of promises, and unbounded memory. */
const hostile = [
  'while (true) {}',
  'const flood = () => Promise.resolve().then(flood); await flood()',
  'const all = []; while (true) all.push(new Array(1e5).fill(all))',
  "let text = 'x'; while (true) text += text",
];

/**
 * Scripts with one action, each called over HTTP by a provider of its own, compared with `vm` in one process, which is no
 * security boundary; then how long `/healthz` takes while hostile scripts fill the pool.
 */
export async function measureSandbox(load: Load, isQuick: boolean): Promise<Row[]> {
  await using service = await startService('express');
  const { port } = service;
  const headers = await adminHeaders(port);
  const enabled = { enabledWebhookActions: ['echo.say'] };
  await send(port, '/admin/api/settings', enabled, { method: 'PUT', headers });
  const call = async (provider: string, jsScript: string): Promise<LoadRequest> => {
    const webhook = { provider, jsScript, allowedActions: ['echo.say'] };
    await send(port, '/admin/api/webhooks', webhook, { headers });
    const path = `/tools/webhook/${provider}`;
    const json = { 'Content-Type': 'application/json' };
    return { method: 'POST', path, headers: json, body: '{"a":1}' };
  };
  const calls: LoadRequest[][] = [];
  for (let each = 0; each < inParallel; each += 1) {
    calls.push([await call(`bench-${process.pid}-${each}`, script)]);
  }
  const seconds = isQuick ? 2 : 5;
  const bounds = { port, count: 1_000_000, seconds };
  await load.run({ ...bounds, requests: calls, count: 200 });
  const alone = await load.run({ ...bounds, requests: calls.slice(0, 1) });
  const { answered, seconds: taken } = await load.run({ ...bounds, requests: calls });
  const rate = answered / taken;
  const attacks: LoadRequest[][] = [];
  for (const [each, text] of hostile.entries()) {
    attacks.push([await call(`hostile-${process.pid}-${each}`, text)]);
  }
  const healthz: LoadRequest = { method: 'GET', path: '/healthz' };
  const [health] = await Promise.all([
    load.run({ ...bounds, requests: [[healthz]] }),
    load.run({ ...bounds, requests: attacks }),
  ]);
  return [
    {
      measure: 'script with one action, over HTTP, p50',
      ...atMost(goals.p50, alone.p50, milliseconds),
    },
    {
      measure: `scripts, ${inParallel} in parallel`,
      against: `${perSecond(await bareRate())}, vm in process`,
      ...atLeast(goals.rate, rate, perSecond),
    },
    {
      measure: '/healthz while hostile scripts run, p99',
      ours: `p50 ${milliseconds(health.p50)}`,
      ...atMost(goals.healthMs, health.p99, milliseconds),
    },
  ];
}

function perSecond(rate: number): string {
  return `${rate.toFixed(0)}/s`;
}

async function bareRate(): Promise<number> {
  const runs = 1_000;
  const actions = { 'echo.say': async (input: unknown) => input };
  const start = performance.now();
  for (let run = 0; run < runs; run += 1) {
    const context = vm.createContext({ body: { a: 1 }, actions, result: undefined });
    await vm.runInContext(`(async () => {${script}\n})()`, context);
  }
  return runs / ((performance.now() - start) / 1000);
}
