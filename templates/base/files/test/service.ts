import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { Config, variables as known } from '../src/config.js';
import { readConfig } from '../src/environment/read-config.js';
import type { ServiceEvent } from '../src/events/bus.js';
import type { Mail } from '../src/mail/mailer.js';
import type { OwnParts, Services } from '../src/services.js';
import { startService } from '../src/start.js';
import { testDatabase } from './database.js';
import { testEnvironment } from './environments.js';

export interface TestService {
  /** Where it listens; routes are below `url + prefix`. */
  url: string;
  prefix: string;
  config: Config;
  /** The variables it was started with: for a command on the same database. */
  environment: Record<string, string>;
  services: Services;
  /** Every mail sent so far, oldest first; waits for work that goes on after an answer. */
  mails(): Promise<Mail[]>;
  /** Every event published so far, oldest first. */
  events(): Promise<ServiceEvent[]>;
  /** Moves the clock of the whole process. */
  advance(milliseconds: number): void;
}

/** Named variables over the defaults of a test. */
export type TestEnvironment = Partial<Record<keyof typeof known, string>>;

/**
 * Starts the service as `npm start` does, on a free port with a fresh database, and ends it with
 * the test. Limits are off unless the test is about them.
 * `own` replaces parts of it, as a team would.
 */
export async function startTestService(
  variables: TestEnvironment = {},
  own: OwnParts = {},
): Promise<TestService> {
  const folder = await mkdtemp(join(tmpdir(), 'auth-service-'));
  const database = await testDatabase(folder);
  const environment = { ...DEFAULTS, ...database.environment, ...variables };
  const config = readConfig(environment);
  const sent: Mail[] = [];
  const published: ServiceEvent[] = [];
  const running = await startService(config, {
    mailer: {
      async send(mail) {
        sent.push(mail);
      },
    },
    ...own,
    subscribers: [(event) => void published.push(event), ...(own.subscribers ?? [])],
  });
  onTestFinished(async () => {
    vi.restoreAllMocks();
    await running.close();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    url: running.url,
    prefix: config.AUTH_PREFIX,
    config,
    environment,
    services: running.services,
    async mails() {
      await running.services.background.idle();
      return sent;
    },
    async events() {
      await running.services.background.idle();
      return published;
    },
    advance: moveClock,
  };
}

export const DEFAULTS = {
  NODE_ENV: 'test',
  PORT: '0',
  BASE_URL: 'http://auth.test',
  APP_URL: 'http://app.test',
  ACCESS_TOKEN_SECRET: 'access-secret-of-the-tests-0123456789',
  REFRESH_TOKEN_SECRET: 'refresh-secret-of-the-tests-9876543210',
  ...testEnvironment,
};

/** All time is read through Date.now, so moving it moves tokens, sessions and limits alike. */
function moveClock(milliseconds: number): void {
  const time = Date.now() + milliseconds;
  const start = performance.now();
  vi.spyOn(Date, 'now').mockImplementation(() => Math.round(time + performance.now() - start));
}
