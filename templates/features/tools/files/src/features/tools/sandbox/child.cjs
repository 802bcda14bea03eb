/**
 * The process that scripts run in: reads a job, runs it and writes the outcome, one JSON text a line.
 * Reading blocks, so the event loop never turns while a script lives: no timers, no late callbacks, no
 * sockets. Only strings cross the boundary between this realm and the script's.
 * Plain JavaScript, because Node starts it directly, from `src/` and from `dist/`.
 */
const { readSync, writeSync } = require('node:fs');
const vm = require('node:vm');

/**
 * @typedef {{ run: number, job?: Job, reply?: string }} Request
 * @typedef {{ script: string, body: string, actions: string[], timeoutMs: number }} Job
 */

/** Characters; a script that emits more at once is ended. */
const LONGEST_OUTPUT = 1 << 20;

/**
 * The script's side of the boundary. Its source is evaluated in the script's realm before the script, so
 * it must use nothing from outside itself. It keeps references to the built-ins that it needs later, because
 * the script may replace whatever it can reach.
 * @param {string} text the configuration as JSON
 */
function guest(text) {
  'use strict';
  const { parse, stringify } = JSON;
  const { defineProperty, freeze, create, setPrototypeOf } = Object;
  const { apply } = Reflect;
  const OwnPromise = Promise;
  const OwnError = Error;
  const toText = String;
  const { slice } = String.prototype;
  const { then } = OwnPromise.prototype;
  const config = parse(text);
  const realm = /** @type {Record<string, unknown>} */ (globalThis);

  // These allocate memory outside the heap limit, or reach the platform.
  for (const name of config.removed) delete realm[name];
  // Node formats stacks with functions of the host's realm, whose errors would be an escape. A limit of
  // 0 does not prevent that; undefined does.
  const fixed = { writable: false, configurable: false };
  defineProperty(OwnError, 'prepareStackTrace', { value: () => 'Error', ...fixed });
  defineProperty(OwnError, 'stackTraceLimit', { value: undefined, ...fixed });

  const pending = create(null);
  let pendingCount = 0;
  let calls = 0;
  let logged = 0;
  let isDone = false;
  let out = '';

  /** @param {string} message */
  function emit(message) {
    out += out === '' ? message : `,${message}`;
  }

  /**
   * @param {string} text
   * @param {number} length
   * @returns {string}
   */
  const cut = (text, length) => apply(slice, text, [0, length]);

  /**
   * @param {unknown} value
   * @returns {string}
   */
  function textOf(value) {
    try {
      if (typeof value === 'string') return value;
      if (typeof value === 'object' && value !== null) {
        const { message } = /** @type {{ message?: unknown }} */ (value);
        if (typeof message === 'string') return message;
        return stringify(value) ?? 'an object';
      }
      return toText(value);
    } catch {
      return 'something that cannot be shown';
    }
  }

  /** @param {string} error */
  function fail(error) {
    if (isDone) return;
    isDone = true;
    emit(`{"type":"done","error":${stringify(cut(error, config.longestError))}}`);
  }

  function finish() {
    if (isDone) return;
    try {
      const result = stringify(realm.result) ?? 'null';
      if (result.length > config.longestResult) return fail('The result is too large.');
      isDone = true;
      emit(`{"type":"done","result":${stringify(result)}}`);
    } catch (error) {
      fail(`The result cannot be written as JSON: ${textOf(error)}`);
    }
  }

  /** @param {string} id */
  function actionOf(id) {
    return freeze(async (/** @type {unknown[]} */ ...args) => {
      if (calls >= config.mostCalls) throw new OwnError('Too many actions were called.');
      // Otherwise a setter on Object.prototype or a toJSON on Array.prototype could read the argument.
      setPrototypeOf(args, null);
      const input = args.length > 0 ? (stringify(args[0]) ?? 'null') : '';
      if (input.length > config.longestInput) throw new OwnError('The argument is too large.');
      calls += 1;
      const call = calls;
      return new OwnPromise((resolve, reject) => {
        const entry = create(null);
        entry.resolve = resolve;
        entry.reject = reject;
        pending[call] = entry;
        pendingCount += 1;
        emit(`{"type":"call","call":${call},"id":${stringify(id)},"input":${stringify(input)}}`);
      });
    });
  }

  const actions = create(null);
  for (let index = 0; index < config.actions.length; index += 1) {
    actions[config.actions[index]] = actionOf(config.actions[index]);
  }
  freeze(actions);

  const say = freeze((/** @type {unknown[]} */ ...values) => {
    if (logged >= config.mostLines) return;
    logged += 1;
    let line = '';
    for (let index = 0; index < values.length; index += 1) {
      line += `${index > 0 ? ' ' : ''}${cut(textOf(values[index]), config.longestLine)}`;
    }
    emit(`{"type":"log","line":${stringify(cut(line, config.longestLine))}}`);
  });
  const ownConsole = create(null);
  const levels = ['log', 'info', 'warn', 'error', 'debug'];
  for (let index = 0; index < levels.length; index += 1) ownConsole[levels[index] ?? ''] = say;
  freeze(ownConsole);

  defineProperty(realm, 'actions', { value: actions, enumerable: true });
  defineProperty(realm, 'console', { value: ownConsole, enumerable: false });
  realm.body = parse(config.body);
  realm.result = null;

  const control = create(null);
  /** The messages since the last call, after `+` if the script still runs, `.` if it is done. */
  control.pump = () => {
    if (!isDone && pendingCount === 0) fail('The script waits for something that never happens.');
    const said = `${isDone ? '.' : '+'}[${out}]`;
    out = '';
    return said;
  };
  /** @param {string} reply */
  control.deliver = (reply) => {
    const { call, value, error } = parse(reply);
    const entry = pending[call];
    if (!entry) return;
    delete pending[call];
    pendingCount -= 1;
    if (typeof error === 'string') entry.reject(new OwnError(error));
    else entry.resolve(value);
  };
  /** @param {() => Promise<unknown>} script */
  control.start = (script) => {
    try {
      apply(then, script(), [finish, (/** @type {unknown} */ error) => fail(textOf(error))]);
    } catch (error) {
      fail(textOf(error));
    }
  };
  freeze(control);
  defineProperty(realm, config.control, { value: control });
}

const GUEST = guest.toString();

const LIMITS = {
  mostCalls: 100,
  longestInput: 262_144,
  longestResult: 262_144,
  longestError: 2_000,
  mostLines: 100,
  longestLine: 1_000,
  removed: [
    ...['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'ArrayBuffer', 'DataView'],
    ...['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array'],
    ...['Uint32Array', 'Float16Array', 'Float32Array', 'Float64Array', 'BigInt64Array'],
    ...['BigUint64Array', 'FinalizationRegistry', 'WeakRef', 'ShadowRealm', 'Intl', 'console'],
  ],
};

let runs = 0;

/**
 * Runs one script to its end.
 * @param {Job} job
 * @param {(said: string) => void} say
 * @param {() => string | undefined} nextReply blocks until the service answers a call
 */
function runScript(job, say, nextReply) {
  runs += 1;
  const control = `__control${runs}`;
  const context = vm.createContext(Object.create(null), {
    codeGeneration: { strings: false, wasm: false },
    // Runs promise callbacks inside `runInContext`, under its time limit.
    microtaskMode: 'afterEvaluate',
  });
  const deadline = Date.now() + job.timeoutMs;
  /** @param {string} code */
  const evaluate = (code) =>
    new vm.Script(code, { filename: 'script.js' }).runInContext(context, {
      timeout: Math.max(1, deadline - Date.now()),
      displayErrors: false,
    });
  /** @returns {boolean} true if the script still runs */
  const pump = () => {
    const said = evaluate(`${control}.pump()`);
    if (typeof said !== 'string' || said.length > LONGEST_OUTPUT) {
      say('[{"type":"done","error":"The script wrote too much output."}]');
      return false;
    }
    say(said.slice(1));
    return said[0] === '+';
  };
  try {
    const { script, body, actions } = job;
    const config = JSON.stringify({ ...LIMITS, body, actions, control });
    evaluate(`(${GUEST})(${JSON.stringify(config)})`);
    // The brace is on a line of its own, because a script may end in a comment.
    evaluate(`${control}.start(async () => {\n${script}\n})`);
    while (pump()) {
      const reply = nextReply();
      if (reply === undefined) return;
      evaluate(`${control}.deliver(${JSON.stringify(reply)})`);
    }
  } catch (error) {
    say(JSON.stringify([{ type: 'done', error: reasonOf(error) }]));
  }
}

const OwnError = Error;
const OwnSyntaxError = SyntaxError;

/**
 * Why a script ended, for people. Errors of the script's realm are not read: a getter could run the
 * script's code in this realm.
 * @param {unknown} error
 */
function reasonOf(error) {
  if (error instanceof OwnSyntaxError) return 'A syntax error.';
  if (!(error instanceof OwnError)) return 'The script failed.';
  const { code } = /** @type {Error & { code?: unknown }} */ (error);
  return code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
    ? 'The script took too long.'
    : 'The script failed.';
}

/** Removes what a script could use if it escaped from its realm. */
function scrub() {
  const nodeProcess = process;
  const globals = /** @type {Record<string, unknown>} */ (globalThis);
  for (const name of [
    ...['process', 'fetch', 'WebSocket', 'EventSource', 'navigator', 'crypto', 'MessageChannel'],
    ...['BroadcastChannel', 'Worker', 'require', 'module'],
  ]) {
    delete globals[name];
  }
  // Node's own code reads these.
  const kept = new Set([
    ...['versions', 'version', 'release', 'emitWarning', 'nextTick', '_tickCallback', 'domain'],
    ...['_exiting', 'noDeprecation', 'emit', 'exitCode', 'execArgv'],
    ...['_events', '_eventsCount', '_maxListeners'],
  ]);
  for (const name of Reflect.ownKeys(nodeProcess)) {
    if (kept.has(String(name))) continue;
    if (Reflect.deleteProperty(nodeProcess, name) && !(name in nodeProcess)) continue;
    Reflect.defineProperty(nodeProcess, name, { value: undefined });
  }
  const constructors = [
    Object,
    Function,
    Array,
    Promise,
    Error,
    RangeError,
    TypeError,
    SyntaxError,
  ];
  const others = [String, Number, Boolean, Symbol, Map, Set, RegExp, Date, Uint8Array, ArrayBuffer];
  const unnamed = [(async () => {}).constructor, function* () {}.constructor];
  const typedArray = /** @type {Function} */ (Reflect.getPrototypeOf(Uint8Array));
  for (const built of [...constructors, ...others, ...unnamed, typedArray]) {
    Object.freeze(built.prototype);
    Object.freeze(built);
  }
  Object.freeze(JSON);
  Object.freeze(Reflect);
}

const buffer = Buffer.alloc(1 << 16);
let unread = Buffer.alloc(0);

/** The next line; undefined at the end of the input, when the service is gone. */
function readLine() {
  for (;;) {
    const end = unread.indexOf(10);
    if (end >= 0) {
      const line = unread.toString('utf8', 0, end);
      unread = unread.subarray(end + 1);
      return line;
    }
    const size = readSync(0, buffer, 0, buffer.length, null);
    if (size === 0) return undefined;
    unread = Buffer.concat([unread, buffer.subarray(0, size)]);
  }
}

/** @param {string} line */
function writeLine(line) {
  const bytes = Buffer.from(`${line}\n`);
  let written = 0;
  while (written < bytes.length) written += writeSync(1, bytes, written);
}

/** @returns {Request | undefined} */
function readRequest() {
  const line = readLine();
  return line === undefined ? undefined : JSON.parse(line);
}

function main() {
  writeLine('"ready"');
  for (let request = readRequest(); request; request = readRequest()) {
    const { run, job } = request;
    if (!job) continue;
    runScript(
      job,
      (said) => writeLine(`{"run":${run},"said":${JSON.stringify(said)}}`),
      () => {
        for (;;) {
          const answer = readRequest();
          if (!answer) return undefined;
          if (answer.run === run && answer.reply !== undefined) return answer.reply;
        }
      },
    );
    writeLine(`{"run":${run},"idle":true}`);
  }
}

scrub();
main();
