// Loaded before the command (`--import`): at the BREAK_AT-th call that changes the disk, BREAK_HOW happens; at 0 when
// the templates are unpacked.
import { createRequire, syncBuiltinESMExports } from 'node:module';

const fs = createRequire(import.meta.url)('node:fs');
const os = createRequire(import.meta.url)('node:os');
const { BREAK_AT = '0', BREAK_HOW = '', BREAK_LOG = '', BREAK_HOST = '' } = process.env;
const zlib = createRequire(import.meta.url)('node:zlib');
const { openSync, writeSync } = fs;
const log = BREAK_LOG ? openSync(BREAK_LOG, 'a') : undefined;
const signals = { interrupt: 'SIGINT', terminate: 'SIGTERM', hangUp: 'SIGHUP', stop: 'SIGSTOP' };
let calls = 0;
if (BREAK_HOST) os.hostname = () => BREAK_HOST;

function signal() {
  if (!(BREAK_HOW in signals)) return;
  process.kill(process.pid, signals[BREAK_HOW]);
  // Until the system has delivered it.
  pause(50);
}

function pause(milliseconds) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

const changing = [
  ...['linkSync', 'mkdirSync', 'renameSync', 'rmSync', 'rmdirSync', 'chmodSync'],
  ...['writeFileSync', 'writeSync'],
];
// The calls that fail on a full disk; renaming and removing still work.
const growing = ['linkSync', 'mkdirSync', 'writeFileSync', 'writeSync'];

for (const name of changing) {
  const real = fs[name];
  fs[name] = (...args) => {
    calls += 1;
    const isNow = calls === Number(BREAK_AT);
    if (log !== undefined) writeSync(log, `${name} ${args[0]}\n`);
    if (isNow && BREAK_HOW === 'kill') {
      // Half of the text is on the disk already.
      if (name === 'writeFileSync') real(args[0], args[1].subarray?.(0, args[1].length / 2) ?? '');
      process.kill(process.pid, 'SIGKILL');
    }
    if (BREAK_HOW === 'slow' && calls >= Number(BREAK_AT)) {
      pause(300);
    }
    if (isNow) signal();
    const isBroken = isNow
      ? BREAK_HOW === 'fail'
      : BREAK_HOW === 'full' && calls > Number(BREAK_AT);
    if (isBroken && (BREAK_HOW === 'fail' || growing.includes(name))) {
      throw Object.assign(new Error(`${name} fails`), { code: 'ENOSPC' });
    }
    return real(...args);
  };
}
const unpack = zlib.brotliDecompressSync;
zlib.brotliDecompressSync = (...args) => {
  if (BREAK_AT === '0' && BREAK_HOW === 'kill') process.kill(process.pid, 'SIGKILL');
  if (BREAK_AT === '0') signal();
  return unpack(...args);
};
syncBuiltinESMExports();
