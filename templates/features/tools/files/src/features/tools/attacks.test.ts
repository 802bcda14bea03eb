import { expect, test } from 'vitest';
import { addScript, callTools, emittedBy, runScript } from '../../../test/inbound.js';
import { startTestService, type TestService } from '../../../test/service.js';

const ABSENT = [
  ...['process', 'require', 'module', 'exports', '__dirname', 'global', 'window', 'self'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'],
  ...['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'],
  ...['Buffer', 'ArrayBuffer', 'SharedArrayBuffer', 'Uint8Array', 'DataView', 'Atomics'],
  ...['WebAssembly', 'FinalizationRegistry', 'WeakRef', 'ShadowRealm', 'Intl'],
];

/**
 * Each script tries to get hold of something outside of its realm and says what it got: anything but
 * `safe` means that it came out.
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
  'the control object':
    "(() => { const found = Object.getOwnPropertyNames(globalThis).filter((n) => n.startsWith('__control')); return found.every((n) => { try { globalThis[n].pump = 1 } catch {} ; return typeof globalThis[n].pump === 'function' }) ? 'safe' : 'control' })()",
};

/** Scripts that are no body of an async function, or reach for the host's loader. */
const REFUSED: Record<string, string> = {
  'a dynamic import of a module': "result = await import('node:fs')",
  'dynamic import in a nested function': "const f = () => import('node:fs'); result = await f()",
  'import.meta': 'result = import.meta.url',
  'an import declaration': "import fs from 'node:fs'",
  'an exported constant': 'export const a = 1',
  'closing the function': '}; result = 1; async () => {',
  'closing the function and the call': '}); result = 1; (async () => {',
  'a template that never ends': 'result = `',
  'new.target': 'result = new.target',
  'a comment that never ends': '/* result = 1',
  'nesting without end': `result = ${'['.repeat(30_000)}`,
};

/** Scripts that want more than their share; each ends with an error, and the service goes on. */
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

/** Runs a script with some actions; its entry in the list of runs. */
async function runOf(service: TestService, script: string, name: string) {
  const provider = name.replaceAll(/[^\w]/g, '-').slice(0, 60);
  const allowedActions = ['echo.say', 'users.find', 'users.disable'];
  const { status, run } = await runScript(service, script, { provider, allowedActions }, { a: 1 });
  expect(status).toBe(200);
  return run;
}

test('attack: no script comes out of its realm', async () => {
  const service = await startTestService();
  const escaped: string[] = [];
  for (const [name, expression] of Object.entries(ESCAPES)) {
    const lines = expression.split('\n');
    const last = lines.pop() ?? '';
    const script = [...lines, `console.log(String(${last}))`].join('\n');
    const run = await runOf(service, script, name);
    // Thrown is as good: what was reached for is not there.
    const said = run?.log.at(-1);
    if (run?.error === null && said !== 'safe') escaped.push(`${name}: ${said}`);
  }
  expect(escaped).toEqual([]);
  // Scripts do run: a harmless one comes to its end.
  expect(await runOf(service, "console.log('safe')", 'harmless')).toMatchObject({ log: ['safe'] });
}, 120_000);

test('attack: what is no body of an async function, or imports, is refused before it runs', async () => {
  const service = await startTestService();
  for (const [name, script] of Object.entries(REFUSED)) {
    const refused = { error: expect.any(String), log: [], durationMs: 0 };
    expect(await runOf(service, script, name), name).toMatchObject(refused);
  }
});

test('attack: a script that wants more than its share is ended, and the service answers all the while', async () => {
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
      const run = await runOf(service, script, name);
      if (run && run.error === null && name !== 'calls without waiting') unended.push(name);
    }),
  );
  isRunning = false;
  expect(await probing).toBeGreaterThan(10);
  expect(unended).toEqual([]);
  expect(await runOf(service, "console.log('safe')", 'after')).toMatchObject({ log: ['safe'] });
}, 120_000);

test('attack: nothing of one run is left for the next', async () => {
  const service = await startTestService();
  const leave = "globalThis.x = 1; Object.prototype.x = 1; Array.prototype.push = () => 'x'";
  await runOf(service, leave, 'one');
  const look = 'console.log(String(globalThis.x ?? ({}).x ?? [].push(1)))';
  expect((await runOf(service, look, 'two'))?.log).toEqual(['1']);
});

test('attack: an action that is called after the time is over does nothing', async () => {
  const service = await startTestService();
  const script =
    "const end = Date.now() + 60_000; while (Date.now() < end) {} ; await actions['users.disable']({ id: 'x' })";
  const run = await runOf(service, script, 'late');
  expect(run).toMatchObject({ error: 'The script took too long.', calls: [] });
}, 30_000);

test('attack: scripts that fill all places of one provider leave room for another', async () => {
  const service = await startTestService();
  await addScript(service, 'while (true) {}', { provider: 'greedy' });
  await addScript(service, "result = { event: 'x.y' }", { provider: 'other' });
  const greedy = Array.from({ length: 6 }, () => callTools(service, {}, {}, 'greedy'));
  expect((await callTools(service, {}, {}, 'other')).status).toBe(200);
  expect(await emittedBy(service)).toHaveLength(1);
  for (const { status } of await Promise.all(greedy)) expect([200, 503]).toContain(status);
}, 120_000);
