import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { runScript } from '../src/features/tools/sandbox/run-script.js';
import { launches, startSandboxProcess } from '../src/features/tools/sandbox/sandbox-process.js';

const CHILD = fileURLToPath(new URL('../src/features/tools/sandbox/child.cjs', import.meta.url));

/**
 * Visits every object that a script can reach, reports which are of another realm and which an earlier run has marked, and
 * marks them all. It follows properties, descriptors and prototypes, starting from whatever the
 * host passes to it, lets it call, or throws.
 */
const EXPLORE = `
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { apply, ownKeys } = Reflect;
const open = [];
const reach = (value, path) => { open.push([value, path]); return value; };
const caught = (act, path) => { try { reach(act(), path); } catch (error) { reach(error, path + ' threw'); } };

reach(globalThis, 'globalThis');
reach(this, 'this');
for (const name of ['body', 'actions', 'console', 'result']) reach(globalThis[name], name);
caught(() => (function () { return this; })(), 'sloppy this');
caught(() => (function () { return arguments; })(), 'arguments');
caught(() => (function f() { return f.caller; })(), 'caller');
caught(() => (function () { return arguments.callee.caller; })(), 'callee');
caught(() => Object.getOwnPropertyDescriptor((function () { 'use strict'; return arguments; })(), 'callee').get, 'thrower');
caught(() => ((strings) => strings)\`a\${1}b\`, 'template');
caught(() => Proxy.revocable({}, {}), 'revocable');
caught(() => new Proxy(() => {}, {}), 'proxy');
for (const make of [async () => {}, function* () {}, async function* () {}, () => {}, class {}]) {
  reach(make, 'function');
  caught(() => make(), 'made');
}
for (const some of [[].values(), new Map().entries(), new Set().values(), ''[Symbol.iterator](), 'a'.matchAll(/a/g), /(?<a>.)/d.exec('a')]) {
  reach(some, 'iterator');
}

// What the engine throws, and what the host turns it into.
caught(() => null.x, 'null.x');
caught(() => missing, 'missing');
caught(() => Symbol() + '', 'symbol');
caught(() => 1n + 1, 'bigint');
caught(() => JSON.parse('{'), 'JSON.parse');
caught(() => JSON.stringify(1n), 'JSON.stringify');
caught(() => decodeURIComponent('%'), 'decodeURIComponent');
caught(() => new RegExp('('), 'RegExp');
caught(() => 'a'.repeat(-1), 'repeat');
caught(() => new Date(NaN).toISOString(), 'toISOString');
caught(() => new Array(-1), 'Array');
caught(() => eval('1'), 'eval');
caught(() => (0, eval)('this'), 'indirect eval');
caught(() => Function('return this')(), 'Function');
caught(() => (async () => {}).constructor('return this')(), 'AsyncFunction');
caught(() => Object.defineProperty(new Proxy({}, { defineProperty: () => true }), 'x', { value: 1, configurable: false }), 'invariant');
caught(() => { const it = {}; Error.captureStackTrace?.(it); return it; }, 'captureStackTrace');
let got;
try { Error.prepareStackTrace = (error, sites) => { got = sites; }; } catch {}
caught(() => { void new Error('x').stack; return got; }, 'call sites');
const dig = () => {
  try { dig(); } catch (error) {
    reach(error, 'end of the stack');
    try { reach(error.stack, 'stack'); } catch (other) { reach(other, 'stack threw'); }
  }
};
dig();

// Results of actions, of promises, and of what the service calls itself.
const said = actions['echo.say']({ a: [{ b: 1 }] });
reach(said, 'promise of an action');
reach(await said, 'answer of an action');
reach(await actions['echo.say'](), 'answer without an argument');
for (const [argument, path] of [
  [1n, 'an argument that is no JSON'],
  [{ toJSON() { reach(this, 'toJSON'); throw new Error('x'); } }, 'toJSON'],
  [new Proxy({}, { ownKeys(target) { reach(target, 'target'); throw null; } }), 'a proxy as an argument'],
]) {
  await actions['echo.say'](argument).catch((error) => reach(error, path));
}
await actions.fail({}).catch((error) => reach(error, 'error of an action'));
caught(() => actions['echo.say'].call(null), 'call of an action');
caught(() => new actions['echo.say'](), 'new of an action');
caught(() => console.log.call({}), 'console.log');
console.log({ get message() { reach(this, 'this of a getter in a log'); return ''; } });
console.log({ toJSON(key) { reach(this, 'toJSON of a log'); reach(key, 'key'); return ''; } });
await { then(resolve, reject) { reach(resolve, 'resolve'); reach(reject, 'reject'); resolve(); } };
await new Promise((resolve) => { reach(resolve, 'executor'); resolve(); });
await Promise.any([Promise.reject(new Error('x'))]).catch((error) => reach(error, 'AggregateError'));
await Promise.reject(new Error('x')).finally(() => {}).catch((error) => reach(error, 'rejection'));
for await (const each of (async function* () { yield 1; })()) reach(each, 'for await');

const seen = new Set();
const strange = new Set();
const marked = [];
const MARK = 'a mark of a script';
while (open.length > 0) {
  const [value, path] = open.pop();
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') continue;
  if (seen.has(value)) continue;
  seen.add(value);
  let last = value;
  for (let next = getPrototypeOf(last); next !== null; next = getPrototypeOf(next)) last = next;
  if (last !== Object.prototype && getPrototypeOf(value) !== null) strange.add(path.split('.').slice(0, 2).join('.'));
  if (getOwnPropertyDescriptor(value, MARK)) marked.push(path);
  reach(getPrototypeOf(value), path + '.prototype of it');
  for (const name of ownKeys(value)) {
    const { value: held, get, set } = getOwnPropertyDescriptor(value, name) ?? {};
    for (const each of [held, get, set]) reach(each, path + '.' + String(name));
  }
  try { defineProperty(value, MARK, { value: 1 }); } catch {}
}
result = { count: seen.size, strange: [...strange].sort(), marked };
`;

const LEAK: [string, string] = [
  'vm.createContext(Object.create(null), {',
  "vm.createContext(Object.assign(Object.create(null), { leak: new Error('of the host') }), {",
];
const UNFROZEN: [string, string] = ['frozen.add(Object.freeze(value))', 'frozen.add(value)'];

/** Runs the script twice in one process, with this change to its program. */
async function exploreTwice(changes: [string, string][]) {
  const folder = await mkdtemp(join(tmpdir(), 'auth-service-'));
  const path = join(folder, 'child.cjs');
  const original = await readFile(CHILD, 'utf8');
  for (const [was] of changes) expect(original).toContain(was);
  const changed = changes.reduce((text, [was, is]) => text.replace(was, is), original);
  await writeFile(path, changed);
  const [launch] = launches();
  if (!launch) throw new Error('There is no way to start a process.');
  const args = launch.args.map((argument) => argument.replace(CHILD, path));
  const sandbox = await startSandboxProcess({ ...launch, args });
  onTestFinished(async () => {
    sandbox.kill();
    await sandbox.ended;
    await rm(folder, { recursive: true });
  });
  const actions = new Map([
    ['echo.say', async (input: unknown) => input],
    ['fail', () => Promise.reject(new Error('of the service'))],
  ]);
  const job = { script: EXPLORE, body: { a: [{ b: 1 }] }, actions, timeoutMs: 30_000 };
  const outcomes = [];
  for (let run = 0; run < 2; run += 1) {
    const { outcome, isClean } = await runScript(sandbox, job);
    expect([outcome.error, isClean]).toEqual([null, true]);
    outcomes.push(outcome.result as { count: number; strange: string[]; marked: string[] });
  }
  return outcomes;
}

test('attack: nothing that a script can reach is of the host, or is left for the next script', async () => {
  for (const { count, strange, marked } of await exploreTwice([])) {
    expect(count).toBeGreaterThan(400);
    expect([strange, marked]).toEqual([[], []]);
  }
});

test('attack: a script that got hold of an object of the host could change none of its prototypes', async () => {
  for (const { strange, marked } of await exploreTwice([LEAK])) {
    expect(strange).toEqual([expect.stringMatching(/\.leak$/)]);
    expect(marked).toEqual([]);
  }
  // The same script finds its marks if the realm is not frozen, which shows that it looks everywhere.
  const [first, second] = await exploreTwice([LEAK, UNFROZEN]);
  expect(first?.marked).toEqual([]);
  expect(second?.marked.length).toBeGreaterThan(20);
});
