import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { repositoryFolder } from '../scripts/matrix/child.js';
import { freePort } from '../scripts/matrix/start-service.js';

/** Everything that the benchmark writes; ignored by git. */
export const workFolder = join(repositoryFolder, 'playground/bench');
/** The benchmark's own processes, as JavaScript. */
export const processFolder = join(workFolder, 'processes');

/**
 * Compiles what runs in separate processes to plain JavaScript, so that no TypeScript loader is measured too.
 * Packages stay imports: they are those of the templates, in the same versions.
 */
export async function buildProcesses(): Promise<void> {
  await build({
    absWorkingDir: repositoryFolder,
    entryPoints: [
      'bench/*probe.ts',
      'bench/load-process.ts',
      'bench/peers/*.ts',
      'bench/floors/*.ts',
    ],
    outdir: processFolder,
    outbase: 'bench',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
  });
}

/** Usage of a process since its start: CPU time of all threads in µs, resident memory in bytes. */
interface Usage {
  cpu: number;
  memory: number;
}

/** A measured process that listens. It ends when the function that uses it does. */
export interface Server extends AsyncDisposable {
  port: number;
  usage(): Promise<Usage>;
}

const START_TIMEOUT_MS = 15_000;
const POLL_MS = 2;

/**
 * Starts a script, of the bench or elsewhere, as a separate process on a free port of the loopback interface and waits until
 * `path` answers with 200. Throws if it ends before that, or takes more than 15 s.
 */
export async function startServer(
  script: string,
  path: string,
  environment: Record<string, string> = {},
  folder = processFolder,
  execArgv = ['--import', join(processFolder, 'probe.mjs')],
): Promise<Server> {
  const port = await freePort();
  const child = fork(resolve(processFolder, script), {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      NODE_ENV: 'production',
      PORT: String(port),
      ...environment,
    },
    execArgv,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const server: Server = {
    port,
    async usage() {
      const answered = once(child, 'message');
      child.send('usage');
      const [{ usage }] = await answered;
      return usage;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await exited;
    },
  };
  try {
    await Promise.race([
      untilReady(`http://127.0.0.1:${port}${path}`),
      exited.then(() => Promise.reject(new Error(`${script} ended at its start.`))),
    ]);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  return server;
}

/** Resolves when the address answers with 2xx; throws after 15 s. */
async function untilReady(url: string): Promise<void> {
  const end = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < end) {
    const response = await fetch(url).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.ok) return;
    await new Promise((resume) => setTimeout(resume, POLL_MS));
  }
  throw new Error(`${url} did not answer in time.`);
}
