import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { SMTPServer } from 'smtp-server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { fullCombinations, largest } from '../scripts/matrix/combinations.js';
import { freshDatabase } from '../scripts/matrix/fresh-database.js';
import { startService } from '../scripts/matrix/start-service.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { templatesFolder } from '../src/package-root.js';
import { buildService } from './support/built-service.js';
import { send } from './support/native-client.js';

const catalog = readCatalog(templatesFolder);
const { framework: first } = largest(catalog);
const databases = fullCombinations(catalog)
  .filter(({ framework }) => framework === first)
  .map(({ database }) => database);

type Variables = Record<string, string>;

interface Compose {
  services: Record<string, { environment?: Variables; profiles?: string[]; ports?: string[] }>;
}

/** `${A}`, `${A:-without}`, `${A:+with}` and `${A:?refusal}` as Docker Compose reads them, the innermost first. */
function interpolated(text: string, variables: Variables): string {
  const next = text.replace(/\$\{(\w+)(?::([-+?])([^${}]*))?\}/g, (_, name, kind, other = '') => {
    const value = variables[name] ?? '';
    if (kind === '+') return value && other;
    if (kind === '?' && value === '') throw new Error(`${name}: ${other}`);
    return value || other;
  });
  return next === text ? text : interpolated(next, variables);
}

/** The variables that `docker compose up` would give the service, and what else it would start. */
function composed(folder: string, changes: Variables = {}) {
  const { services }: Compose = parse(readFileSync(join(folder, 'compose.yaml'), 'utf8'));
  const file = parseEnv(readFileSync(join(folder, '.env'), 'utf8')) as Variables;
  const variables = { ...file, ...changes };
  const own = Object.entries(services.auth?.environment ?? {}).map(([name, value]) => {
    return [name, interpolated(String(value), variables)];
  });
  const profiles = (variables.COMPOSE_PROFILES ?? '').split(',');
  const started = Object.entries(services).filter(
    ([, { profiles: of = [] }]) => of.length === 0 || of.some((each) => profiles.includes(each)),
  );
  const environment: Variables = { ...variables, ...Object.fromEntries(own) };
  return { environment, started: started.map(([name]) => name) };
}

/** A mail server where nobody signs in. @returns its port, and the mails that it got */
async function catchMails() {
  const mails: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, _session, done) {
      let mail = '';
      stream.on('data', (chunk) => {
        mail += chunk;
      });
      stream.on('end', () => done(null, void mails.push(mail)));
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.server.address();
  return { mails, port: typeof address === 'object' ? address?.port : undefined };
}

test.each(databases)(
  'the service with %s runs in Docker Compose with the .env that it was made with',
  async (database) => {
    const folder = await buildService(`compose-${database}`, { database });
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { mails, port } = await catchMails();
    const fresh = await freshDatabase(folder);
    onTestFinished(() => fresh.drop());

    const { environment, started } = composed(folder);
    expect(started).toContain('mail');
    expect(environment.DATABASE_URL).toMatch(new RegExp(`^file:/app/data/|@${database}:\\d+/`));
    const { DATABASE_URL, DATABASE_PASSWORD } = parseEnv(
      readFileSync(join(folder, '.env'), 'utf8'),
    );
    if (DATABASE_PASSWORD !== undefined) {
      expect(DATABASE_PASSWORD).toMatch(/^[0-9a-f]{64}$/);
      expect(DATABASE_URL).toContain(`:${DATABASE_PASSWORD}@127.0.0.1:`);
      expect(() => composed(folder, { DATABASE_PASSWORD: '' })).toThrow('set it in .env');
    }
    expect(environment.SMTP_URL).toBe('smtp://mail:1025');
    const { stop, url } = await startService(folder, {
      env: {
        ...environment,
        ...fresh.environment,
        HOST: '127.0.0.1',
        PORT: '0',
        SMTP_URL: `smtp://127.0.0.1:${port}`,
        ...(environment.REDIS_URL && {
          REDIS_URL: 'redis://127.0.0.1:6379',
          REDIS_PREFIX: `auth-test-${randomUUID()}`,
        }),
      },
    });
    onTestFinished(async () => void (await stop()));
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const person = { email: 'ada@example.com', password: 'correct horse battery staple' };
    expect((await send(url, 'POST', '/register', person)).status).toBe(201);
    await send(url, 'POST', '/magic-link/send', { email: person.email });
    await vi.waitFor(() => expect(mails.join()).toContain('ada@example.com'), { timeout: 60_000 });
    expect(existsSync(join(folder, 'data/outbox'))).toBe(false);
  },
);

test('in production Docker Compose starts no mail catcher, and the service refuses what is missing', async () => {
  const folder = await buildService('compose');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const production = { NODE_ENV: 'production', COMPOSE_PROFILES: '' };
  const { environment, started } = composed(folder, production);
  expect(started).not.toContain('mail');
  expect(environment.NODE_ENV).toBe('production');
  const start = startService(folder, { env: environment });
  await expect(start).rejects.toThrow(/ BASE_URL is missing.* SMTP_URL is missing/s);
});
