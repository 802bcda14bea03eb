/**
 * The process that scripts run in: reads a job, runs it, writes what comes of it, one JSON text a
 * line. It blocks on reading, so its event loop never turns while a script lives: there are no timers,
 * no late callbacks and no sockets. Only strings cross the border between this realm and the script's.
 * Plain JavaScript, since it is started by Node itself, from `src/` as from `dist/`.
 */
const { readSync, writeSync } = require('node:fs');
const vm = require('node:vm');

/**
 * @typedef {{ run: number, job?: Job, reply?: string }} Request
 * @typedef {{ script: string, body: string, actions: string[], timeoutMs: number }} Job
 */

/** A script that says more at once is ended. */
const LONGEST_OUTPUT = 1 << 20;

/**
 * The script's side of the border. Its text is evaluated in the script's own realm before the script:
 * it must use nothing from around it. What it needs later it takes hold of now, since the script may
 * replace everything that it can reach.
 * @param {string} text of the configuration, JSON
 */
function guest(text) {
  'use strict';
  const { parse, stringify } = JSON;
  const { defineProperty, freeze, create, setPrototypeOf } = Object;
  const { apply } = Reflect;
  const OwnPromise = Promise;
  const OwnError = Error;
  const toText = String;
  const { then } = OwnPromise.prototype;
  const config = parse(text);
  const realm = /** @type {Record<string, unknown>} */ (globalThis);

  // What lives outside of the heap's limit, or reaches the platform.
  for (const name of config.removed) delete realm[name];
  // Node formats stacks with functions of the host's realm: a script must never make it do so. Zero is
  // not enough; undefined is.
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
   * @param {unknown} value
   * @param {number} length
   */
  function cut(value, length) {
    const whole = /** @type {string} */ (value);
    if (whole.length <= length) return whole;
    let start = '';
    for (let index = 0; index < length; index += 1) start += whole[index];
    return start;
  }

  /** @param {unknown} value */
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
      // Else a setter on Object.prototype, or a toJSON on Array.prototype, would see what passes.
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
        const said = `"call":${call},"id":${stringify(id)},"input":${stringify(input)}`;
        emit(`{"type":"call",${said}}`);
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
  /** What has been said since the last time; first `+` if the script goes on, `.` if it is done. */
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
    // The script's promises go on within `runInContext`, and so under its time limit.
    microtaskMode: 'afterEvaluate',
  });
  const deadline = Date.now() + job.timeoutMs;
  /** @param {string} code */
  const evaluate = (code) =>
    new vm.Script(code, { filename: 'script.js' }).runInContext(context, {
      timeout: Math.max(1, deadline - Date.now()),
      displayErrors: false,
    });
  /** @returns {boolean} true if the script goes on */
  const pump = () => {
    const said = evaluate(`${control}.pump()`);
    if (typeof said !== 'string' || said.length > LONGEST_OUTPUT) {
      say('[{"type":"done","error":"The script says too much."}]');
      return false;
    }
    say(said.slice(1));
    return said[0] === '+';
  };
  try {
    const { script, body, actions } = job;
    const config = JSON.stringify({ ...LIMITS, body, actions, control });
    evaluate(`(${GUEST})(${JSON.stringify(config)})`);
    // A line of its own: a script may end in a comment.
    evaluate(`${control}.start(async () => {\n${script}\n})`);
    while (pump()) {
      const reply = nextReply();
      if (reply === undefined) return;
      evaluate(`${control}.deliver(${JSON.stringify(reply)})`);
    }
  } catch (error) {
    const said = reasonOf(error);
    say(JSON.stringify([{ type: 'done', error: said }]));
  }
}

const OwnError = Error;
const OwnSyntaxError = SyntaxError;

/**
 * What ended a script, for people. What is thrown may belong to the script's realm: of that nothing is
 * read, since reading could run its code.
 * @param {unknown} error
 */
function reasonOf(error) {
  if (error instanceof OwnSyntaxError) return 'A syntax error.';
  if (!(error instanceof OwnError)) return 'The script failed.';
  const { code } = /** @type {Error & { code?: unknown }} */ (error);
  return code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? 'The time is over.' : 'The script failed.';
}

/** Takes away what a script could use if it ever came out of its own realm. */
function scrub() {
  const reachable = /** @type {Record<string, unknown>} */ (globalThis);
  const kept = new Set(
    ['versions', 'version', 'release', 'emitWarning', 'nextTick', '_tickCallback', 'domain']
      .concat(['_exiting', 'noDeprecation', 'emit', 'exitCode', 'execArgv'])
      .concat(['_events', '_eventsCount', '_maxListeners']),
  );
  const nodeProcess = process;
  for (const name of ['process', 'fetch', 'WebSocket', 'EventSource', 'navigator', 'crypto']) {
    delete reachable[name];
  }
  for (const name of ['MessageChannel', 'BroadcastChannel', 'Worker', 'require', 'module']) {
    delete reachable[name];
  }
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
  const hidden = [async () => {}, function* () {}, Uint8Array].map((value) =>
    typeof value === 'function' && value.name === 'Uint8Array'
      ? Reflect.getPrototypeOf(value)
      : Reflect.getPrototypeOf(value)?.constructor,
  );
  for (const value of [...constructors, ...others, ...hidden]) {
    if (typeof value !== 'function') continue;
    Object.freeze(value.prototype);
    Object.freeze(value);
  }
  Object.freeze(JSON);
  Object.freeze(Reflect);
}

const buffer = Buffer.alloc(1 << 16);
let unread = Buffer.alloc(0);

/** The next line; undefined at the end of the input: the service is gone. */
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
