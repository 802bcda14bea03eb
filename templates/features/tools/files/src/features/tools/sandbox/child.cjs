/**
 * The process that scripts run in: reads a job, runs it and writes what happened, one JSON text a line; `null`
 * means that it is free. Reading blocks, so that the event loop does not turn while a script lives: no timers, no
 * late callbacks, no sockets. Only strings cross the boundary between this realm and the script's.
 * Plain JavaScript, because Node starts it directly, from `src/` and from `dist/`.
 */
const { Buffer } = require('node:buffer');
const { randomUUID } = require('node:crypto');
const { readSync, writeSync } = require('node:fs');
const vm = require('node:vm');

/** @typedef {{ script: string, isCheck: boolean, body: string, actions: string[], timeoutMs: number }} Job */

/** Characters; a script that emits a longer message is ended. */
const LONGEST_MESSAGE = 1 << 20;

/**
 * The script's side of the boundary. Its source is evaluated in the script's realm before the script, so
 * it must use nothing from outside itself. It keeps references to the built-ins that it needs later, because
 * the script may replace whatever it can reach.
 */
function guest() {
  'use strict';
  const { parse, stringify } = JSON;
  const { create, defineProperty, freeze, setPrototypeOf } = Object;
  const { apply } = Reflect;
  const OwnPromise = Promise;
  const OwnError = Error;
  const toText = String;
  const { slice } = String.prototype;
  const { then } = OwnPromise.prototype;
  const realm = /** @type {Record<string, unknown>} */ (globalThis);

  // These allocate memory outside the heap limit, or reach the platform.
  for (const name of [
    ...['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'ArrayBuffer', 'DataView'],
    ...['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array'],
    ...['Uint32Array', 'Float16Array', 'Float32Array', 'Float64Array', 'BigInt64Array'],
    ...['BigUint64Array', 'FinalizationRegistry', 'WeakRef', 'ShadowRealm', 'Intl', 'console'],
  ]) {
    delete realm[name];
  }
  // Node formats stacks with functions of the host's realm, whose errors would be an escape. A limit of
  // 0 does not prevent that; undefined does.
  const fixed = { writable: false, configurable: false };
  defineProperty(OwnError, 'prepareStackTrace', { value: () => 'Error', ...fixed });
  defineProperty(OwnError, 'stackTraceLimit', { value: undefined, ...fixed });

  const pending = create(null);
  let pendingCount = 0;
  let calls = 0;
  let lines = 0;
  let isDone = false;
  const messages = create(null);
  let emitted = 0;
  let taken = 0;

  /** @param {object} message without a prototype it has no `toJSON` of the script */
  function emit(message) {
    emitted += 1;
    messages[emitted] = stringify(setPrototypeOf(message, null));
  }

  /** @param {unknown} value at most 2,000 characters of it */
  function textOf(value) {
    let text = 'something that cannot be shown';
    try {
      const { message } = /** @type {{ message?: unknown }} */ (value ?? {});
      if (typeof value !== 'object' || value === null) text = toText(value);
      else text = typeof message === 'string' ? message : (stringify(value) ?? 'an object');
    } catch {
      // A getter or a proxy of the script that throws.
    }
    return apply(slice, text, [0, 2_000]);
  }

  /** @param {string} error */
  function fail(error) {
    if (!isDone) emit({ type: 'done', error });
    isDone = true;
  }

  function finish() {
    try {
      const result = stringify(realm.result) ?? 'null';
      if (!isDone) emit({ type: 'done', result });
      isDone = true;
    } catch (error) {
      fail(`The result cannot be written as JSON: ${textOf(error)}`);
    }
  }

  /** @param {string} id */
  function actionOf(id) {
    return freeze(async (/** @type {unknown[]} */ ...args) => {
      if (calls >= 100) throw new OwnError('Too many actions were called.');
      // Otherwise a setter on Object.prototype or a toJSON on Array.prototype could read the argument.
      setPrototypeOf(args, null);
      const input = args.length > 0 ? (stringify(args[0]) ?? 'null') : '';
      calls += 1;
      const call = calls;
      return new OwnPromise((resolve, reject) => {
        pending[call] = { resolve, reject };
        pendingCount += 1;
        emit({ type: 'call', call, id, input });
      });
    });
  }

  const logLine = freeze((/** @type {unknown[]} */ ...values) => {
    if (lines >= 100) return;
    lines += 1;
    let line = '';
    for (let index = 0; index < values.length; index += 1) {
      line += `${index > 0 ? ' ' : ''}${textOf(values[index])}`;
    }
    emit({ type: 'log', line: apply(slice, line, [0, 1_000]) });
  });
  const ownConsole = { log: logLine, info: logLine, warn: logLine, error: logLine, debug: logLine };
  defineProperty(realm, 'console', { value: freeze(setPrototypeOf(ownConsole, null)) });

  return freeze({
    /** @param {string} text @param {string[]} ids */
    prepare(text, ids) {
      const actions = create(null);
      for (const id of ids) actions[id] = actionOf(id);
      defineProperty(realm, 'actions', { value: freeze(actions), enumerable: true });
      realm.body = parse(text);
      realm.result = null;
    },

    /** @param {() => Promise<unknown>} script */
    start(script) {
      apply(then, script(), [finish, (/** @type {unknown} */ error) => fail(textOf(error))]);
    },

    /** The next message; if there is none, `+` if the script still runs, `.` if it is done. */
    pump() {
      if (pendingCount === 0) fail('The script waits for something that never happens.');
      if (taken === emitted) return isDone ? '.' : '+';
      taken += 1;
      const message = messages[taken];
      delete messages[taken];
      return message;
    },

    /** @param {string} reply */
    deliver(reply) {
      const { call, value, error } = parse(reply);
      const { resolve, reject } = pending[call];
      delete pending[call];
      pendingCount -= 1;
      if (typeof error === 'string') reject(new OwnError(error));
      else resolve(value);
    },
  });
}

/** The name of the script's side, which no script knows: it is on no object that a script could list. */
const CONTROL = `control_${randomUUID().replaceAll('-', '')}`;
const GUEST = new vm.Script(`const ${CONTROL} = (${guest})()`);
const PUMP = new vm.Script(`${CONTROL}.pump()`);

/** What JavaScript skips between two tokens, HTML-like comments included. */
const SKIPPED = /\s+|\/\*[\s\S]*?\*\/|(?:\/\/|<!--|-->).*/y;

/**
 * True for `import` before `(` or `.`, wherever it stands: import() gives the script a promise of this realm,
 * which would be an escape. A search in the text and not in a parsed tree, because two parsers may disagree.
 * @param {string} script
 */
function hasImport(script) {
  for (const { index } of script.matchAll(/import/g)) {
    let at = index + 'import'.length;
    for (SKIPPED.lastIndex = at; SKIPPED.test(script); ) at = SKIPPED.lastIndex;
    if (script[at] === '(' || script[at] === '.') return true;
  }
  return false;
}

/** What the stack of a compile error begins with: file and line, the text of the line, and `^` below the place. */
const PLACE = /^.*:(\d+)\n.*\n([ \t]*\^)?/;

/**
 * The message of a compile error, which may quote a name of any length, after its place in the script.
 * @param {Error} error
 */
function explain({ message, stack = '' }) {
  const [, line = '1', upTo = '^'] = PLACE.exec(stack) ?? [];
  // The script begins on the second line of what is compiled, and may go wrong on the one after its last.
  const place = line === '1' ? '' : `Line ${Number(line) - 1}, column ${upTo.length}: `;
  return place + message.slice(0, 500);
}

/**
 * Compiles a script as the body of an async function. Throws an error of this realm if it is not one.
 * @param {string} script
 */
function compile(script) {
  if (hasImport(script)) throw new Error('import() and import.meta are not allowed.');
  // A script that closes its function early, to run code outside it, compiles in one of these two places.
  // In both it compiles only as another function, which gains it nothing: nothing else is both a member
  // of an object literal and an expression. The brace is on a line of its own: a script may end in a comment.
  new vm.Script(`({ async body() {\n${script}\n} })`, { filename: 'script.js' });
  return new vm.Script(`${CONTROL}.start((async () => {\n${script}\n}))`, {
    filename: 'script.js',
  });
}

/**
 * Runs one script to its end, or only compiles it.
 * @param {Job} job
 */
function run({ script, isCheck, body, actions, timeoutMs }) {
  let start;
  try {
    start = compile(script);
  } catch (error) {
    return writeDone({ error: explain(/** @type {Error} */ (error)) });
  }
  if (isCheck) return writeDone({ result: 'null' });
  const context = vm.createContext(Object.create(null), {
    codeGeneration: { strings: false, wasm: false },
    // Runs promise callbacks inside `runInContext`, under its time limit.
    microtaskMode: 'afterEvaluate',
  });
  const deadline = Date.now() + timeoutMs;
  /** @param {vm.Script} code may run code of the script: other code needs no limit, which costs more than running it */
  const runLimited = (code) => {
    const timeout = Math.max(1, deadline - Date.now());
    return code.runInContext(context, { timeout, displayErrors: false });
  };
  try {
    GUEST.runInContext(context);
    new vm.Script(`${CONTROL}.prepare(...${JSON.stringify([body, actions])})`).runInContext(
      context,
    );
    runLimited(start);
    for (;;) {
      const message = PUMP.runInContext(context);
      if (typeof message !== 'string' || message.length > LONGEST_MESSAGE) {
        return writeDone({ error: 'The script wrote too much output.' });
      }
      if (message === '.') return;
      if (message !== '+') writeLine(message);
      else {
        runLimited(
          new vm.Script(`${CONTROL}.deliver(${JSON.stringify(JSON.stringify(readJson()))})`),
        );
      }
    }
  } catch {
    // The error is not read: if it is the script's, a getter would run outside the time limit.
    const isLate = Date.now() >= deadline;
    writeDone({ error: isLate ? 'The script took too long.' : 'The script failed.' });
  }
}

/** @param {{ result: string } | { error: string }} outcome */
function writeDone(outcome) {
  writeLine(JSON.stringify({ type: 'done', ...outcome }));
}

// Not `process.exit`: Node's own exit would inspect what scripts left, such as a rejected proxy that loops.
const exit = /** @type {(code: number) => never} */ (
  Reflect.get(process, 'reallyExit').bind(process)
);
// Node keeps rejections that nobody handles until it inspects them, and that may run code of the
// script: a proxy as the prototype of a promise. Hence the time limit.
Object.defineProperty(globalThis, 'forgetRejections', {
  value: Reflect.get(process, '_tickCallback'),
});
const FORGET = new vm.Script('forgetRejections()');

/** Removes what a script could use if it escaped from its realm, and freezes what it could leave a mark on. */
function scrub() {
  const node = process;
  const globals = /** @type {Record<PropertyKey, unknown>} */ (globalThis);
  const standard = new Set(vm.runInNewContext('Reflect.ownKeys(globalThis)'));
  for (const name of Reflect.ownKeys(globals)) {
    if (!standard.has(name)) Reflect.deleteProperty(globals, name);
  }
  delete globals.WebAssembly;
  delete globals.console;
  // Node's own code reads these.
  const kept = new Set([
    ...['versions', 'version', 'release', 'emitWarning', 'nextTick', '_tickCallback', 'domain'],
    ...['_exiting', 'noDeprecation', 'emit', 'exitCode', 'execArgv'],
    ...['_events', '_eventsCount', '_maxListeners'],
  ]);
  for (const name of Reflect.ownKeys(node)) {
    if (kept.has(String(name))) continue;
    if (Reflect.deleteProperty(node, name) && !(name in node)) continue;
    Reflect.defineProperty(node, name, { value: undefined });
  }
  const unnamed = [async () => {}, function* () {}, async function* () {}, [].values(), Error()];
  const iterators = [
    new Map().values(),
    new Set().values(),
    ''[Symbol.iterator](),
    ''.matchAll(/a/g),
  ];
  const { globalThis: _, ...built } = Object.getOwnPropertyDescriptors(globals);
  freezeAll([...Object.values(built).map(({ value }) => value), ...unnamed, ...iterators]);
}

/** @param {unknown[]} roots frozen with all that can be reached from them */
function freezeAll(roots) {
  const frozen = new Set();
  while (roots.length > 0) {
    const value = roots.pop();
    const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
    if (!isObject || frozen.has(value)) continue;
    frozen.add(Object.freeze(value));
    roots.push(Object.getPrototypeOf(value));
    for (const name of Reflect.ownKeys(value)) {
      const { value: member, get, set } = Reflect.getOwnPropertyDescriptor(value, name) ?? {};
      roots.push(member, get, set);
    }
  }
}

const buffer = Buffer.alloc(1 << 16);
let unread = Buffer.alloc(0);

/** The next line as JSON. At the end of the input the service is gone: ends this process. */
function readJson() {
  for (;;) {
    const end = unread.indexOf(10);
    if (end >= 0) {
      const line = unread.toString('utf8', 0, end);
      unread = unread.subarray(end + 1);
      return JSON.parse(line);
    }
    const size = readSync(0, buffer, 0, buffer.length, null);
    if (size === 0) exit(0);
    unread = Buffer.concat([unread, buffer.subarray(0, size)]);
  }
}

/** @param {string} text JSON; written as a JSON string, so that a script cannot end the line */
function writeLine(text) {
  const bytes = Buffer.from(`${JSON.stringify(text)}\n`);
  let written = 0;
  while (written < bytes.length) written += writeSync(1, bytes, written);
}

scrub();
try {
  for (;;) {
    writeLine('null');
    let message = readJson();
    // A reply that came after the end of its run.
    while (!('script' in message)) message = readJson();
    run(message);
    FORGET.runInThisContext({ timeout: 1_000 });
  }
} catch {
  exit(1);
}
