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
import { instanceCount, inTurns } from './instances.js';
import { instancesEnvironments } from './instances-environments.js';
import { SECRETS } from './migrate.js';

export interface TestService {
  /** Where it listens; routes are below `url + prefix`. Of several instances each time the next one. */
  readonly url: string;
  prefix: string;
  config: Config;
  /** The variables it was started with: for a command on the same database. */
  environment: Record<string, string>;
  /** Those of the first instance. */
  services: Services;
  /** Waits for work that goes on after an answer. */
  idle(): Promise<void>;
  /** Every mail sent so far, oldest first, once it is idle. */
  mails(): Promise<Mail[]>;
  /** Every event published so far, oldest first, once it is idle. */
  events(): Promise<ServiceEvent[]>;
  /** Moves the clock of the whole process. */
  advance(milliseconds: number): void;
}

/** Named variables over the defaults of a test. */
export type TestEnvironment = Partial<Record<keyof typeof known, string>>;

/**
 * Starts the service as `npm start` does, on a free port with a fresh database, and ends it with
 * the test. Limits are off unless the test is about them. `own` replaces parts of it, as a team would.
 * With TEST_INSTANCES it is `count` instances on one database, which are asked in turn.
 */
export async function startTestService(
  variables: TestEnvironment = {},
  own: OwnParts = {},
  count = instanceCount,
): Promise<TestService> {
  const folder = await mkdtemp(join(tmpdir(), 'auth-service-'));
  const database = await testDatabase(folder);
  const shared = count > 1 ? await sharedEnvironment() : {};
  const environment = { ...DEFAULTS, ...database.environment, ...shared, ...variables };
  const config = readConfig(environment);
  const sent: Mail[] = [];
  const published: ServiceEvent[] = [];
  const parts: OwnParts = {
    mailer: {
      async send(mail) {
        sent.push(mail);
      },
    },
    ...own,
    subscribers: [(event) => void published.push(event), ...(own.subscribers ?? [])],
  };
  const first = await startService(config, parts);
  const instances = [first];
  while (instances.length < count) instances.push(await startService(config, parts));
  const next = inTurns(instances);
  const idle = async () => {
    await Promise.all(instances.map(({ services }) => services.background.idle()));
  };
  onTestFinished(async () => {
    vi.restoreAllMocks();
    await Promise.all(instances.map((instance) => instance.close()));
    await database.release();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    get url() {
      return next().url;
    },
    prefix: config.AUTH_PREFIX,
    config,
    environment,
    services: first.services,
    idle,
    async mails() {
      await idle();
      return sent;
    },
    async events() {
      await idle();
      return published;
    },
    advance: moveClock,
  };
}

/**
 * The same with one instance, also with TEST_INSTANCES: for a test that looks into it, such as by a spy or at
 * what it holds in memory, or that moves the clock beyond a limit, which counters in another process would not notice.
 */
export function startSingleInstance(
  variables: TestEnvironment = {},
  own: OwnParts = {},
): Promise<TestService> {
  return startTestService(variables, own, 1);
}

async function sharedEnvironment(): Promise<TestEnvironment> {
  const environments = await Promise.all(
    instancesEnvironments.map((environmentOf) => environmentOf()),
  );
  return Object.assign({}, ...environments);
}

export const DEFAULTS = {
  NODE_ENV: 'test',
  PORT: '0',
  BASE_URL: 'http://auth.test',
  APP_URL: 'http://app.test',
  ...SECRETS,
  ...testEnvironment,
};

/** All time is read through Date.now, so moving it moves tokens, sessions and limits alike. */
function moveClock(milliseconds: number): void {
  const time = Date.now() + milliseconds;
  const start = performance.now();
  vi.spyOn(Date, 'now').mockImplementation(() => Math.round(time + performance.now() - start));
}
