import vm from 'node:vm';
import type { Load, LoadRequest } from '../load.js';
import { atLeast, atMost, milliseconds, type Row } from '../report.js';
import { adminHeaders, send, startService } from '../service.js';

const goals = { rate: 500, p50: 5 };
const inParallel = 8;
const script = "const said = await actions['echo.say'](body); result = null";

/**
 * Scripts with one action, each called over HTTP by a provider of its own, compared with `vm` in one process, which is no
 * security boundary.
 */
export async function measureSandbox(load: Load, isQuick: boolean): Promise<Row[]> {
  await using service = await startService('express');
  const { port } = service;
  const headers = await adminHeaders(port);
  const enabled = { enabledWebhookActions: ['echo.say'] };
  await send(port, '/admin/api/settings', enabled, { method: 'PUT', headers });
  const calls: LoadRequest[][] = [];
  for (let each = 0; each < inParallel; each += 1) {
    const provider = `bench-${process.pid}-${each}`;
    const webhook = { provider, jsScript: script, allowedActions: ['echo.say'] };
    await send(port, '/admin/api/webhooks', webhook, { headers });
    const path = `/tools/webhook/${provider}`;
    const json = { 'Content-Type': 'application/json' };
    calls.push([{ method: 'POST', path, headers: json, body: '{"a":1}' }]);
  }
  const seconds = isQuick ? 2 : 5;
  const bounds = { port, count: 1_000_000, seconds };
  await load.run({ ...bounds, requests: calls, count: 200 });
  const alone = await load.run({ ...bounds, requests: calls.slice(0, 1) });
  const { answered, seconds: taken } = await load.run({ ...bounds, requests: calls });
  const rate = answered / taken;
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
