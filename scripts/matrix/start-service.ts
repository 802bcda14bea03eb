import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { execa } from 'execa';
import { cleanEnvironment } from './child.js';
import { bundleProblem } from './compiler.js';

/** An emitted service that runs in its own process. */
export interface StartedService {
  url: string;
  pid: number | undefined;
  /** Ends it by SIGTERM. @returns its exit code */
  stop(): Promise<number | undefined>;
  /** Kills it at once, like a power cut. */
  kill(): Promise<void>;
  /** What it has printed so far. */
  log(): string;
}

interface StartOptions {
  /** The command that starts it; this Node.js on `dist/` if absent. */
  command?: string[];
  env?: Record<string, string>;
}

const patience = 60_000;

export const fromSource = [process.execPath, '--import', 'tsx', 'src/main.ts'];

/**
 * Starts an emitted service on a free port and waits for its ready line.
 * @throws Error with what it printed, if it ends or is not ready within 60 s
 */
export async function startService(
  folder: string,
  { command = fromBuild(process.execPath), env = {} }: StartOptions = {},
): Promise<StartedService> {
  const [file = '', ...args] = command;
  let printed = '';
  const child = execa(file, args, {
    cwd: folder,
    env: { ...cleanEnvironment(), PORT: '0', ...env },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    all: true,
    buffer: false,
  });
  const ready = new Promise<string>((resolve) => {
    child.all?.on('data', (chunk) => {
      printed += chunk;
      const url = /ready at (http:\/\/[^\s"]+)/.exec(printed)?.[1];
      if (url) resolve(url);
    });
  });
  const url = await Promise.race([
    ready,
    child.then(() => undefined),
    wait(patience, undefined, { ref: false }),
  ]);
  if (url === undefined) {
    child.kill('SIGKILL');
    const { exitCode } = await child;
    throw new Error(`the service was not ready (exit code ${exitCode})\n${printed}`);
  }
  return {
    url,
    pid: child.pid,
    async stop() {
      child.kill('SIGTERM');
      return (await child).exitCode;
    },
    async kill() {
      child.kill('SIGKILL');
      await child;
    },
    log: () => printed,
  };
}

/** Starts what `npm run build` made. */
export function fromBuild(node: string): string[] {
  return [node, 'dist/main.js'];
}

/** Builds an emitted service and starts it under the address that a browser visits. @throws Error as `startService` */
export async function startForBrowsers(folder: string, env: Record<string, string> = {}) {
  const problem = await bundleProblem(folder);
  if (problem) throw new Error(problem);
  const port = await freePort();
  const baseUrl = `http://localhost:${port}`;
  const addressed = { PORT: `${port}`, BASE_URL: baseUrl, ...env };
  const service = await startService(folder, { env: addressed });
  return { ...service, baseUrl };
}

/** Ports below those that the system gives to others meanwhile, a hundred for each process. */
let next = 11_000 + (process.pid % 200) * 100;

/** A port of the loopback interface that is free at the moment. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = next++;
    const server = createServer();
    const isFree = await new Promise((resolve) => {
      server.on('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}
