import { once } from 'node:events';
import { expect, test } from 'vitest';
import { runScript } from '../src/features/tools/sandbox/run-script.js';
import {
  launches,
  launchProcess,
  startSandboxProcess,
} from '../src/features/tools/sandbox/sandbox-process.js';
import { changeWebhook } from '../src/features/webhook-configs/feature.js';
import { addScript, callTools, lastRun } from './inbound.js';
import { startTestService, type TestService } from './service.js';

const [launch] = launches();
if (!launch) throw new Error('There is no way to start a process.');

const ABSENT = [
  ...['process', 'require', 'module', 'exports', '__dirname', 'global', 'window', 'self'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'],
  ...['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'],
  ...['Buffer', 'ArrayBuffer', 'SharedArrayBuffer', 'Uint8Array', 'DataView', 'Atomics'],
  ...['WebAssembly', 'FinalizationRegistry', 'WeakRef', 'ShadowRealm', 'Intl'],
];

/**
 * Each script tries to reach something outside its realm and reports what it got: anything but
 * `safe` means that it escaped.
 */
const ESCAPES: Record<string, string> = {
  'names of the host': `[${ABSENT.map((name) => `typeof ${name}`)}].every((t) => t === 'undefined') ? 'safe' : 'there'`,
  'Function of this': "this?.constructor?.constructor('return process')()",
  'Function of globalThis': "globalThis.constructor.constructor('return process')()",
  'Function of an array': "[].constructor.constructor('return process')()",
  'Function of a function': "(() => {}).constructor('return process')()",
  'Function of an async function': "(async () => {}).constructor('return process')()",
  'Function of a generator': "(function* () {}).constructor('return process')().next().value",
  'Function of an async generator':
    "(await (async function* () {}).constructor('return process')().next()).value",
  'Function of an action': "actions['echo.say'].constructor('return process')()",
  'Function of what an action returns':
    "(await actions['echo.say']({})).constructor.constructor('return process')()",
  'Function of a promise of an action':
    "actions['echo.say'](1).constructor.constructor('return process')()",
  'Function of the body': "body.constructor.constructor('return process')()",
  'Function of an action error':
    "await actions['users.find'](7).catch((e) => e.constructor.constructor('return process')())",
  'Function of a refused action':
    "await actions['users.find']().catch((e) => e.constructor.constructor('return process')())",
  eval: "eval('process')",
  'indirect eval': "(0, eval)('this.process')",
  'a constructor by bind': "Function.bind(null, 'return process')()()",
  'the caller of a function':
    "(function f() { return f.caller })()?.constructor('return process')() ?? 'safe'",
  'the callee of arguments':
    "(function () { return arguments.callee.caller })()?.constructor('return process')() ?? 'safe'",
  'a stack formatter':
    "(() => { let got = 'safe'; Error.prepareStackTrace = (e, s) => { got = s?.[0]?.getThis?.() ?? 'safe'; return '' }; void new Error().stack; return got === undefined ? 'safe' : typeof got === 'string' ? got : 'frame' })()",
  'a stack formatter of a subclass':
    "(() => { let got = 'safe'; class E extends Error {}; E.prepareStackTrace = (e, s) => { got = 'frame' }; void new E().stack; return got })()",
  'the limit of stacks':
    "(() => { try { Error.stackTraceLimit = 100 } catch {} ; return Error.stackTraceLimit === undefined ? 'safe' : 'limit' })()",
  captureStackTrace:
    "(() => { const o = {}; Error.captureStackTrace?.(o); return o.stack?.constructor?.constructor?.('return process')?.() ?? 'safe' })()",
  'an error near the end of the stack':
    "(() => { let found = 'safe'; const dig = () => { try { dig() } catch (e) { try { const P = e.constructor.constructor('return typeof process')(); if (P !== 'undefined') found = P } catch {} } }; dig(); return found })()",
  'a stack read near the end of the stack':
    "(() => { let found = 'safe'; const dig = () => { try { dig() } catch (e) { try { const c = e.stack; const P = c?.constructor?.constructor?.('return typeof process')?.(); if (P && P !== 'undefined') found = P } catch (f) { try { const Q = f.constructor.constructor('return typeof process')(); if (Q !== 'undefined') found = Q } catch {} } } }; dig(); return found })()",
  'a thenable as a result of an action':
    "typeof (await actions['echo.say']({ then: 1 })) === 'object' ? 'safe' : 'thenable'",
  'a thenable that is returned':
    "await ({ then(resolve) { resolve(this.constructor.constructor('return process')()) } })",
  'a proxy as an argument':
    "(await actions['echo.say'](new Proxy({}, { get: (t, k, r) => { try { return r.constructor.constructor('return process')() } catch { return undefined } }, ownKeys: () => ['a'], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 1 }) })), 'safe')",
  'a toJSON with a telling this':
    "(await actions['echo.say']({ toJSON() { return typeof this.constructor.constructor === 'function' ? 1 : 2 } }), 'safe')",
  'a getter in an argument':
    "(await actions['echo.say']({ get a() { return globalThis.process ? 'process' : 'none' } })).a === 'none' ? 'safe' : 'process'",
  'a polluted Object.prototype':
    "(() => { Object.prototype.resolve = () => 'polluted'; Object.prototype.error = 'polluted' })() ?? (await actions['echo.say'](1)) === 1 ? 'safe' : 'polluted'",
  'a polluted Array.prototype':
    "(() => { Array.prototype.toJSON = () => 'polluted' })() ?? (await actions['echo.say'](2)) === 2 ? 'safe' : 'polluted'",
  'a replaced JSON':
    "(() => { JSON.parse = () => 'mine'; JSON.stringify = () => '\"mine\"' })() ?? (await actions['echo.say'](3)) === 3 ? 'safe' : 'replaced'",
  'a replaced Promise':
    "(() => { globalThis.Promise = undefined })() ?? (await actions['echo.say'](4)) === 4 ? 'safe' : 'replaced'",
  'a replaced action':
    "(() => { 'use strict'; try { actions['echo.say'] = () => 'mine' } catch {} ; return actions['echo.say'] === undefined ? 'replaced' : 'safe' })()",
  'an action added to the list':
    "(() => { try { actions['users.disable'] = 1 } catch {} ; return typeof actions['users.disable'] === 'function' ? 'safe' : 'added' })()",
  'an action that is not allowed':
    "typeof actions['mail.send'] === 'undefined' ? 'safe' : 'allowed'",
  '__proto__ of the global':
    "Object.getPrototypeOf(Object.getPrototypeOf(globalThis).constructor) === Function.prototype ? 'safe' : 'another realm'",
  '__proto__ by assignment':
    "(() => { const o = {}; o.__proto__ = { process: 1 }; return o.process === undefined || o.process === 1 ? 'safe' : 'proto' })()",
  '__defineGetter__ on the global':
    "(() => { try { globalThis.__defineGetter__('x', () => 1) } catch {} ; return 'safe' })()",
  'Symbol.for as a bridge':
    "(() => { const k = Symbol.for('nodejs.util.inspect.custom'); const o = { [k](d, o, inspect) { return inspect?.constructor?.('return process')?.() } }; console.log(o); return 'safe' })()",
  'Symbol.toStringTag':
    "(() => { console.log({ get [Symbol.toStringTag]() { throw process } }); return 'safe' })()",
  'a telling toString in the log':
    "(() => { console.log({ toString() { throw 1 }, get message() { throw 2 } }); return 'safe' })()",
  'a label around the frame': 'a: { break a; }\n"safe"',
  'a name that neither ECMAScript nor the contract has':
    "(() => { const known = 'Infinity NaN undefined globalThis eval parseInt parseFloat isNaN isFinite decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape body actions result console'.split(' '); const more = Object.getOwnPropertyNames(globalThis).filter((n) => !/^[A-Z][a-z]\\w+$|^JSON$|^URIError$/.test(n) && !known.includes(n)); return more.join() || 'safe' })()",
};

/** Scripts that are not the body of an async function, or try to use the host's module loader. */
const REFUSED: Record<string, string> = {
  'a dynamic import of a module': "result = await import('node:fs')",
  'dynamic import in a nested function': "const f = () => import('node:fs'); result = await f()",
  'import.meta': 'result = import.meta.url',
  'a regular expression for one parser, a division for the other':
    "const o = {}; let g; const f = (e) => e;\no?.return\n/import('x').then(f,f)/\ng",
  'an import in a template': `result = \`\${import('x')}\``,
  'an import before a comment': "await import/* a */ // b\n('x')",
  'an import before an HTML comment': "await import<!-- a\n--> b\n('x')",
  'an import of a source': "await import.source('x')",
  'an import that is escaped': "await im\\u0070ort('x')",
  'an import declaration': "import fs from 'node:fs'",
  'an exported constant': 'export const a = 1',
  'closing the function': '}; result = 1; async () => {',
  'closing the function and the call': '}); result = 1; (async () => {',
  'closing the function and two brackets': '})); result = 1; ((async () => {',
  'closing the function and adding an element': '}, result = 1, async () => {',
  'closing the function and adding a method': '}, async more() {',
  'closing the function and spreading': '}, ...{',
  'closing the function, the object and the bracket': '} }); ({ async body() {',
  'a template that never ends': 'result = `',
  'new.target': 'result = new.target',
  'a comment that never ends': '/* result = 1',
  'nesting without end': `result = ${'['.repeat(30_000)}`,
};

/** Scripts that exceed a limit; each ends with an error, and the service continues. */
const GREEDY: Record<string, string> = {
  'an endless loop': 'while (true) {}',
  'an endless loop after an await': "await actions['echo.say'](1); while (true) {}",
  'an endless chain of promises': 'const f = () => Promise.resolve().then(f); await f()',
  'a promise that never settles': 'await new Promise(() => {})',
  'an endless string': "let s = 'x'; while (true) s += s",
  'an endless array': 'const a = []; while (true) a.push(new Array(1e6).fill(1))',
  'an endless map': 'const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })',
  'a stack without end': '(function f() { f() })()',
  'a slow pattern': "/^(a+)+$/.test('a'.repeat(40) + 'b')",
  'a huge BigInt': 'let n = 2n; while (true) n *= n',
  'calls without end': "for (;;) await actions['echo.say'](1)",
  'calls without waiting': "for (let i = 0; i < 1e6; i++) actions['echo.say'](1)",
  'a huge argument': "await actions['echo.say']('x'.repeat(1e6))",
  'a huge result': "result = { event: 'x.y', data: 'x'.repeat(1e6) }",
  'a result that refers to itself': 'const a = {}; a.a = a; result = a',
  'a huge error': "throw new Error('x'.repeat(1e7))",
  'an error that is a proxy': 'throw new Proxy({}, { get() { throw 1 } })',
  'a rejection that is a getter': 'throw { get message() { while (true) {} } }',
  'a log without end': "for (;;) console.log('x'.repeat(1e5))",
  'a result that loops as JSON': 'result = { toJSON() { while (true) {} } }',
};

/** Runs a script with some actions, as the only one of its provider; its entry in the list of runs. */
async function runOf(service: TestService, jsScript: string, provider = 'attacker') {
  const { services } = service;
  const allowedActions = ['echo.say', 'users.find', 'users.disable'];
  const known = await services.webhookConfigs.findInbound(provider);
  const { id } = known ?? (await addScript(service, '', { provider, allowedActions }));
  const config = await services.webhookConfigs.find(id);
  if (config) await changeWebhook(services, config, { jsScript });
  expect((await callTools(service, { a: 1 }, {}, provider)).status).toBe(200);
  return lastRun(service, id);
}

test('attack: no script escapes its realm', async () => {
  const service = await startTestService();
  const escaped: string[] = [];
  for (const [name, expression] of Object.entries(ESCAPES)) {
    const lines = expression.split('\n');
    const last = `console.log(String(${lines.pop()}))`;
    // An exception is fine too: the object was not reachable.
    const script = `try { ${[...lines, last].join('\n')} } catch { console.log('safe') }`;
    const run = await runOf(service, script);
    if (run?.log.at(-1) !== 'safe') escaped.push(`${name}: ${run?.log.at(-1) ?? run?.error}`);
  }
  expect(escaped).toEqual([]);
}, 120_000);

test('attack: a script that is not the body of an async function, or that imports, is refused before it runs', async () => {
  const service = await startTestService();
  const { tools } = service.services.workers;
  for (const [name, script] of Object.entries(REFUSED)) {
    expect(await tools.check(`console.log('runs');${script}`), name).toEqual(expect.any(String));
  }
  // A script may have reached the database some other way.
  const run = await runOf(service, "console.log('runs'); await import('node:fs')");
  expect(run).toMatchObject({ error: expect.stringContaining('import'), log: [] });
  // The word alone is harmless.
  expect(await tools.check("result = { event: 'catalog.import', data: { import: 1 } }")).toBeNull();
});

test('attack: a script that exceeds its limits is ended, and the service keeps answering', async () => {
  const service = await startTestService();
  const unended: string[] = [];
  let isRunning = true;
  const probing = (async () => {
    let answered = 0;
    while (isRunning) {
      expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
      answered += 1;
      await new Promise((resume) => setTimeout(resume, 50));
    }
    return answered;
  })();
  await Promise.all(
    Object.entries(GREEDY).map(async ([name, script]) => {
      const run = await runOf(service, script, name.replaceAll(' ', '-'));
      if (run && run.error === null && name !== 'calls without waiting') unended.push(name);
    }),
  );
  isRunning = false;
  expect(await probing).toBeGreaterThan(10);
  expect(unended).toEqual([]);
  expect(await runOf(service, "console.log('safe')")).toMatchObject({ log: ['safe'] });
}, 120_000);

test('attack: nothing of one run is left for the next', async () => {
  const service = await startTestService();
  const leave = "globalThis.x = 1; Object.prototype.x = 1; Array.prototype.push = () => 'x'";
  await runOf(service, leave);
  const look = 'console.log(String(globalThis.x ?? ({}).x ?? [].push(1)))';
  expect((await runOf(service, look))?.log).toEqual(['1']);
});

/** The running child processes of this one. */
function processes(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length;
}

/** Those of earlier tests may still be ending. */
async function untilNoProcess(): Promise<void> {
  await expect.poll(processes, { timeout: 50_000 }).toBe(0);
}

test('attack: no script of another provider sees what a script marked in its process', async () => {
  await untilNoProcess();
  const service = await startTestService();
  // Its start looks for scripts, to have a process ready.
  await service.idle();
  for (const [provider, count] of [
    ['one', 1],
    ['one', 1],
    ['two', 2],
    ['one', 2],
  ] as const) {
    const run = await runOf(service, "console.log('safe')", provider);
    expect(run).toMatchObject({ log: ['safe'] });
    expect(processes()).toBe(count);
  }
});

test('attack: rejections that nobody handles do not pile up in the process', async () => {
  await untilNoProcess();
  const service = await startTestService();
  await service.idle();
  // 8 MB each, in a heap of 64 MB.
  const leave =
    "for (let i = 0; i < 10; i++) Promise.reject(new Array(1e5).fill(i)); console.log('safe')";
  const { id } = await addScript(service, leave);
  for (let count = 0; count < 10; count += 1) {
    await callTools(service);
    expect(await lastRun(service, id)).toMatchObject({ error: null, log: ['safe'] });
  }
  expect(processes()).toBe(1);
});

test.each([
  'Promise.reject(new Proxy({}, { getOwnPropertyDescriptor() { for (;;); } }))',
  'Object.setPrototypeOf(Promise.reject(), new Proxy({}, { get() { for (;;); } }))',
  'throw new Proxy({}, { getPrototypeOf() { for (;;); } })',
  "console.log('so far'); for (;;);",
  "await actions['echo.say']()",
])('attack: %s keeps no process alive after the service is gone', async (script) => {
  const child = launchProcess(launch);
  await once(child.stdout, 'data');
  const job = { script, isCheck: false, body: '1', actions: ['echo.say'], timeoutMs: 1_000 };
  child.stdin.write(`${JSON.stringify(job)}\n`);
  await once(child.stdout, 'data');
  child.stdin.destroy();
  child.stdout.destroy();
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
});

test('a script whose process has just ended fails at once', async () => {
  const sandbox = await startSandboxProcess(launch);
  sandbox.kill();
  await sandbox.ended;
  const job = { script: '', body: null, actions: new Map(), timeoutMs: 2 ** 31 - 1 };
  const { outcome, isClean } = await runScript(sandbox, job);
  expect([outcome.error, isClean]).toEqual(['The script ended its process.', false]);
});

test('a service that has scripts starts a process before the first call', async () => {
  await untilNoProcess();
  const service = await startTestService();
  const { tools } = service.services.workers;
  await tools.start?.();
  await service.idle();
  expect(processes()).toBe(0);
  await addScript(service, 'result = null');
  await tools.start?.();
  await service.idle();
  expect(processes()).toBe(1);
});
