import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { onTestFinished, vi } from 'vitest';
import { startService } from '../src/commands/start.js';
import { type Config, type variables as known, readConfig } from '../src/config.js';
import { openDatabase } from '../src/db/connect.js';
import type { OpenDatabase } from '../src/db/database.js';
import type { ServiceEvent } from '../src/events/bus.js';
import type { Mail } from '../src/mail/mailer.js';
import { createLog } from '../src/process/log.js';
import type { OwnServices, Services } from '../src/services.js';
import { emptyDatabase, testDatabase } from './database.js';
import { SECRETS, testConfig, testEnvironment } from './environment.js';

export interface TestService {
  /** Where it listens; routes are below `url + prefix`. */
  url: string;
  prefix: string;
  config: Config;
  /** The variables it was started with: for a command on the same database. */
  environment: Record<string, string>;
  services: Services;
  /** Waits for work that continues after a response, and sends the mails that are due. */
  idle(): Promise<void>;
  /** Every mail sent so far, oldest first, once it is idle. */
  mails(): Promise<Mail[]>;
  /** Every event published so far, oldest first, once it is idle. */
  events(): Promise<ServiceEvent[]>;
  /** Moves the clock of the whole process. */
  advance(milliseconds: number): void;
  /** Moves it too, and stops it: for what must happen at an exact time, however slow the machine. */
  stopClock(milliseconds?: number): void;
}

/** Named variables over the defaults of a test. */
export type TestEnvironment = Partial<Record<keyof typeof known, string>>;

/**
 * Starts the service as `npm run start` does, on a free port with a fresh database, and ends it with
 * the test. Limits are off unless the test is about them. `own` replaces parts of it, as a team would.
 */
export async function startTestService(
  variables: TestEnvironment = {},
  own: OwnServices = {},
): Promise<TestService> {
  const environment = { ...DEFAULTS, ...(await testDatabaseEnvironment()), ...variables };
  const cheaper = Object.entries(testConfig).filter(([name]) => !(name in variables));
  const config = { ...readConfig(environment), ...Object.fromEntries(cheaper) };
  const sent: Mail[] = [];
  const published: ServiceEvent[] = [];
  const parts: OwnServices = {
    mailer: { send: async (mail) => void sent.push(mail) },
    ...own,
    subscribers: [(event) => void published.push(event), ...(own.subscribers ?? [])],
  };
  const running = await startService(config, parts);
  const { background, workers } = running.services;

  async function idle(): Promise<void> {
    await background.idle();
    await workers.mail.sendDue();
  }

  onTestFinished(async () => {
    vi.restoreAllMocks();
    await running.close();
  });
  return {
    url: running.url,
    prefix: config.AUTH_PREFIX,
    config,
    environment,
    services: running.services,
    idle,
    mails: () => idle().then(() => sent),
    events: () => idle().then(() => published),
    advance: moveClock,
    stopClock: (milliseconds = 0) =>
      void vi.spyOn(Date, 'now').mockReturnValue(Date.now() + milliseconds),
  };
}

/** Opens a migrated database, which ends with the test: for tests of the database itself. */
export async function openTestDatabase(): Promise<OpenDatabase> {
  return openWith(await testDatabaseEnvironment());
}

/** As `openTestDatabase`, without tables. */
export async function openEmptyDatabase(): Promise<OpenDatabase> {
  return openWith(await emptyDatabaseEnvironment());
}

/** The variables for a service or a command on a migrated database, which ends with the test. */
export function testDatabaseEnvironment(): Promise<Record<string, string>> {
  return environmentOn(testDatabase);
}

/** The variables for a service or a command on a database without tables, which ends with the test. */
export function emptyDatabaseEnvironment(): Promise<Record<string, string>> {
  return environmentOn(emptyDatabase);
}

async function openWith(environment: Record<string, string>): Promise<OpenDatabase> {
  const config = readConfig(environment);
  const database = await openDatabase(config, createLog(config));
  onTestFinished(() => database.db.destroy());
  return database;
}

async function environmentOn(make: typeof testDatabase): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'auth-service-'));
  const database = await make(folder);
  onTestFinished(async () => {
    await database.release();
    await rm(folder, { recursive: true, force: true });
  });
  return { ...database.environment, ...SECRETS, LOG_LEVEL: 'silent' };
}

export const DEFAULTS = {
  NODE_ENV: 'test',
  PORT: '0',
  BASE_URL: 'http://auth.test',
  APP_URL: 'http://app.test',
  ...SECRETS,
  ...testEnvironment,
};

/** A log for tests to read, without the redaction of `log.ts`; `told` counts its lines that contain a text. */
export function openLog(level = 'info') {
  const lines: string[] = [];
  const log = pino({ level }, { write: (line) => void lines.push(line) });
  const told = (text: string) => lines.filter((line) => line.includes(text)).length;
  return { log, lines, told };
}

/** All time is read through Date.now, so moving it moves tokens, sessions and limits alike. */
function moveClock(milliseconds: number): void {
  const time = Date.now() + milliseconds;
  const start = performance.now();
  vi.spyOn(Date, 'now').mockImplementation(() => Math.round(time + performance.now() - start));
}
