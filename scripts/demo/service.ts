import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { parseEnv, stripVTControlCharacters } from 'node:util';
import { execa } from 'execa';
import { UserError } from '../../src/errors.js';
import type { LayerDemo } from './step.js';

const usualPort = 3000;
const startSeconds = 30;

export interface DemoService {
  /** As its ready line says it. */
  url: string;
  /** What it has logged so far. */
  log(): string;
  /** Prints from now on what it logs. */
  showLog(): void;
  /** Resolves when its process has ended. */
  ended: Promise<unknown>;
  /** Ends it as an orchestrator would, and waits for that. */
  stop(): Promise<void>;
}

/**
 * Starts the service in the folder on port 3000, or on a free one if that is taken. Without rate limits: the steps go
 * faster than people, who are made to wait between two mails.
 * @throws UserError if it ends or says nothing for 30 seconds
 */
export async function startDemoService(folder: string, layers: LayerDemo[]): Promise<DemoService> {
  const port = await freePort();
  const counterparts = await Promise.all(
    layers.flatMap((layer) => layer.startCounterpart?.(`http://localhost:${port}`) ?? []),
  );
  const variables = Object.assign({}, ...counterparts.map((each) => each.variables));
  const child = execa(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
    cwd: folder,
    env: { ...foreignVariables(folder), PORT: String(port), RATE_LIMIT: 'off', ...variables },
    extendEnv: false,
    all: true,
    buffer: false,
    reject: false,
    stdin: 'ignore',
    // In a process group of its own Ctrl-C does not reach it: it would be told twice to end.
    detached: true,
  });
  let log = '';
  child.all.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const endChild = () => void child.kill('SIGTERM');
  process.once('exit', endChild);
  const ended = child.finally(() => process.off('exit', endChild));
  const stop = async () => {
    endChild();
    await ended;
    for (const counterpart of counterparts) counterpart.stop();
  };
  const url = await readyUrl(() => log, child);
  if (url === undefined) {
    await stop();
    throw new UserError(`The service did not start:\n${log.trimEnd()}`);
  }
  const showLog = () => void child.all.on('data', (text: string) => process.stdout.write(text));
  return { url, log: () => log, showLog, ended, stop };
}

/** @returns undefined if the process ends or the time is up before the line comes */
async function readyUrl(
  log: () => string,
  child: { exitCode: number | null; signalCode: string | null },
): Promise<string | undefined> {
  const deadline = Date.now() + startSeconds * 1000;
  while (Date.now() < deadline && child.exitCode === null && child.signalCode === null) {
    const url = /ready at (http:\S+)/.exec(stripVTControlCharacters(log()))?.[1];
    if (url !== undefined) return url;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return undefined;
}

/** The environment without what the service reads itself: another service's DATABASE_URL must not lead there. */
function foreignVariables(folder: string): NodeJS.ProcessEnv {
  const own = parseEnv(readFileSync(join(folder, '.env.example'), 'utf8'));
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !(name in own)));
}

/** The usual port, or one that nobody has: BASE_URL derives from it, so it must be known before the start. */
async function freePort(): Promise<number> {
  return (await tryPort(usualPort)) ?? (await tryPort(0)) ?? 0;
}

async function tryPort(wanted: number): Promise<number | undefined> {
  const server = createServer();
  server.listen(wanted, '127.0.0.1');
  try {
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' ? address?.port : undefined;
  } catch {
    return undefined;
  } finally {
    server.close();
  }
}
