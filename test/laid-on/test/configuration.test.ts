import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ZodType } from 'zod';
import { checkEnvironment } from '../src/commands/findings.js';
import { readConfig, variables, warningsOf } from '../src/config.js';
import { inProduction, problemsOf, SECRETS } from './environment.js';
import { testDatabaseEnvironment } from './service.js';

const { ACCESS_TOKEN_SECRET: ACCESS } = SECRETS;

const DEVELOPMENT = { ...SECRETS, NODE_ENV: 'development' };

describe('what is left out', () => {
  it('migrates and shows its document by itself only outside production', () => {
    expect(readConfig(DEVELOPMENT)).toMatchObject({ MIGRATE_ON_START: true, OPENAPI: true });
    expect(readConfig(inProduction)).toMatchObject({ MIGRATE_ON_START: false, OPENAPI: false });
  });
});

describe('one variable', () => {
  it.each<[string, string, unknown]>([
    ['ACCESS_TOKEN_TTL', '15m', 900_000],
    ['REFRESH_TOKEN_TTL', '7d', 604_800_000],
    ['REFRESH_REUSE_WINDOW', '0s', 0],
    ['SESSION_MAX_AGE', '36500d', 3_153_600_000_000],
    ['BODY_LIMIT', '100kb', 102_400],
    ['BODY_LIMIT', '1MB', 1_048_576],
    ['BODY_LIMIT', '5000', 5_000],
    ['CSRF', 'off', false],
    ['PORT', '0', 0],
    ['TRUST_PROXY', '2', 2],
    ['TRUST_PROXY', '10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
    ['BASE_URL', 'HTTPS://Auth.Example.com/', 'https://auth.example.com'],
    [
      'ALLOWED_ORIGINS',
      'https://a.example, http://b.example:8080',
      ['http://localhost:3000', 'https://a.example', 'http://b.example:8080'],
    ],
    [
      'ACCESS_TOKEN_SECRET',
      `${'a1b2c3d4'.repeat(4)},${'e5f6a7b8'.repeat(4)}`,
      ['a1b2c3d4'.repeat(4), 'e5f6a7b8'.repeat(4)],
    ],
    ['SMTP_URL', 'smtp://user:100%25@example.com', 'smtp://user:100%25@example.com'],
    [
      'MAIL_FROM',
      'Acme: A (EU) <a@example.com>',
      { name: 'Acme: A (EU)', address: 'a@example.com' },
    ],
    ['MAIL_FROM', '<a@example.com>', { name: undefined, address: 'a@example.com' }],
    ['MAIL_FROM', 'a@example.com', { name: undefined, address: 'a@example.com' }],
  ])('%s takes %s', (name, text, value) => {
    expect(readConfig({ ...DEVELOPMENT, [name]: text })).toHaveProperty(name, value);
  });

  it.each([
    ['NODE_ENV', 'staging'],
    ['PORT', '65536'],
    ['PORT', '3000x'],
    ['ACCESS_TOKEN_TTL', '0s'],
    ['ACCESS_TOKEN_TTL', '15'],
    ['ACCESS_TOKEN_TTL', '15 minutes'],
    ['REFRESH_TOKEN_TTL', '36501d'],
    ['REQUEST_TIMEOUT', '999999999d'],
    ['BODY_LIMIT', '1gb'],
    ['BODY_LIMIT', '0'],
    ['CSRF', 'true'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', '::/0'],
    ['TRUST_PROXY', 'true'],
    ['BASE_URL', 'https://example.com/auth'],
    ['BASE_URL', 'https://user@example.com'],
    ['BASE_URL', 'https://example.com?'],
    ['BASE_URL', 'javascript:alert(1)'],
    ['ALLOWED_ORIGINS', '*'],
    ['ALLOWED_ORIGINS', 'https://a.example,null'],
    ['ALLOWED_ORIGINS', 'https://*.example.com'],
    ['AUTH_PREFIX', 'auth'],
    ['AUTH_PREFIX', '/auth/'],
    ['AUTH_PREFIX', '/../auth'],
    ['BREACHED_PASSWORDS_URL', 'api.example.com'],
    ['COOKIE_DOMAIN', 'com'],
    ['COOKIE_DOMAIN', 'example.com; Secure'],
    ['SMTP_URL', 'https://mail.example.com'],
    ['SMTP_URL', 'smtp://mail.example.com?requireTLS=false'],
    ['SMTP_URL', 'smtp://user:100%@mail.example.com'],
    ['SMTP_URL', 'smtp://%C3:secret@mail.example.com'],
    ['MAIL_FROM', 'a@example.com\r\nBcc: b@example.com'],
    ['MAIL_FROM', 'Example a@example.com'],
    ['MAIL_FROM', 'a@example.com, b@example.com'],
    ['MAIL_FROM', '<a@example.com'],
    ['MAIL_FROM', 'a@example.com>'],
    ['MAIL_FROM', 'Example <a@example.com>, <b@example.com>'],
    ['ACCESS_TOKEN_SECRET', 'too-short'],
    ['ACCESS_TOKEN_SECRET', `${ACCESS},too-short`],
  ])('%s refuses %s', (name, text) => {
    const [problem, ...others] = problemsOf({ ...DEVELOPMENT, [name]: text });
    expect(problem).toMatch(new RegExp(`^${name} must be `));
    expect(others).toEqual([]);
  });
});

describe('a secret in a file', () => {
  const { ACCESS_TOKEN_SECRET: _, ...others } = DEVELOPMENT;

  function fileWith(text: string): string {
    const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'secret');
    writeFileSync(path, text);
    return path;
  }

  it.each(['', '\n', '\r\n'])('is read without the line end %j', (end) => {
    const given = { ...others, ACCESS_TOKEN_SECRET_FILE: fileWith(`${ACCESS}${end}`) };
    expect(readConfig(given).ACCESS_TOKEN_SECRET).toEqual([ACCESS]);
  });

  it('is refused beside its variable', () => {
    const given = { ...DEVELOPMENT, ACCESS_TOKEN_SECRET_FILE: fileWith(ACCESS) };
    expect(problemsOf(given)).toEqual([
      'ACCESS_TOKEN_SECRET and ACCESS_TOKEN_SECRET_FILE are both set',
    ]);
  });

  it('counts as missing if the file is empty, is held to the same rules, and is not repeated', () => {
    expect(problemsOf({ ...others, ACCESS_TOKEN_SECRET_FILE: fileWith('\n') })).toEqual([
      'ACCESS_TOKEN_SECRET is missing',
    ]);
    const wrong = { ...DEVELOPMENT, SMTP_URL_FILE: fileWith('http://ada:hunter2@x') };
    expect(problemsOf(wrong).join()).toMatch(/^SMTP_URL must be a URL (?!.*hunter2)/);
  });

  it('that cannot be read is a problem of its variable, beside all others, and not repeated', () => {
    const given = { ...inProduction, PORT: 'http', SMTP_URL: '', SMTP_URL_FILE: '/hunter2' };
    const problems = problemsOf(given);
    expect(problems).toEqual([
      'SMTP_URL_FILE must name a file that can be read (ENOENT)',
      expect.stringMatching(/^PORT must/),
    ]);
  });

  it('is possible for every variable that holds one', () => {
    const secrets = Object.entries<ZodType>(variables).filter(([name]) =>
      /SECRET|_PASSWORD$|_KEY$|_TOKEN$|^(DATABASE|SMTP|REDIS)_URL$/.test(name),
    );
    expect(secrets.map(([name]) => name)).toContain('DATABASE_URL');
    expect(secrets.filter(([, schema]) => !schema.meta()?.isSecret)).toEqual([]);
  });
});

describe('production', () => {
  it.each([
    [
      'http://auth.example.com',
      ['BASE_URL must be https in production, unless it is on this machine'],
    ],
    ['http://127.0.0.1.example.com', [expect.stringContaining('BASE_URL must be https')]],
    ['http://localhost:3000', []],
    ['http://127.0.0.1:3000', []],
    ['http://[::1]:3000', []],
  ])('at %s: %j', (BASE_URL, problems) => {
    expect(problemsOf({ ...inProduction, BASE_URL })).toEqual(problems);
  });

  it('must be set explicitly where BASE_URL is public', () => {
    const { NODE_ENV: _, ...given } = inProduction;
    for (const BASE_URL of [given.BASE_URL, given.BASE_URL.replace('https', ' HTTPS')]) {
      const problems = problemsOf({ ...given, BASE_URL });
      expect(problems).toEqual([expect.stringMatching(/^NODE_ENV is missing/)]);
    }
    expect(problemsOf({ ...given, NODE_ENV: 'development' })).toEqual([]);
  });
});

describe('cookies', () => {
  it('without a SameSite rule must be Secure', () => {
    expect(problemsOf({ ...DEVELOPMENT, COOKIE_SAMESITE: 'none' })).toHaveLength(1);
    expect(problemsOf({ ...inProduction, COOKIE_SAMESITE: 'none' })).toEqual([]);
  });

  it('belong to the domain of the service', () => {
    expect(problemsOf({ ...inProduction, COOKIE_DOMAIN: '.example.com' })).toEqual([]);
    expect(problemsOf({ ...inProduction, COOKIE_DOMAIN: 'ample.com' })).toHaveLength(1);
  });
});

describe('warnings', () => {
  const warnings = (environment: Record<string, string>) =>
    warningsOf(readConfig({ ...inProduction, ...environment }));

  it.runIf('OAUTH_GITHUB_CLIENT_ID' in variables)('name a provider that lacks its secret', () => {
    const id = { OAUTH_GITHUB_CLIENT_ID: 'client' };
    expect(warnings(id)).toEqual([
      expect.stringMatching(/^OAUTH_GITHUB_CLIENT_ID .*github is off/),
    ]);
    expect(warnings({ ...id, OAUTH_GITHUB_CLIENT_SECRET: 'secret' })).toEqual([]);
  });

  it('name in production, and only there, what lets others read or act', () => {
    const open = {
      CSRF: 'off',
      RATE_LIMIT: 'off',
      APP_URL: 'http://app.example.com/start',
      COOKIE_DOMAIN: 'example.com',
    };
    const named = warnings(open).map((warning) => warning.split(/ is|:/, 1)[0]);
    expect(named).toEqual(['APP_URL', 'CSRF=off', 'RATE_LIMIT=off']);
    expect(warnings({ ...open, NODE_ENV: 'development' })).toEqual([]);
    expect(
      warnings({ APP_URL: 'http://localhost:8080', ALLOWED_ORIGINS: 'https://auth.example.com' }),
    ).toEqual([]);
  });

  it('are findings of `check`, which end with no failure', async () => {
    const environment = { ...inProduction, ...(await testDatabaseEnvironment()) };
    const findings = await checkEnvironment({ ...environment, CSRF: 'off' });
    const message = expect.stringMatching(/^CSRF=off/);
    expect(findings.filter(({ isWarning }) => isWarning)).toEqual([
      { about: 'configuration', stops: false, isWarning: true, message },
    ]);
  });

  it.each([
    ['https://auth.example.com:8443', {}, false],
    ['https://app.example.com', { COOKIE_DOMAIN: 'example.com' }, false],
    ['https://example.com', { COOKIE_DOMAIN: 'example.com' }, false],
    ['https://app.example.com', {}, true],
    ['https://example.com', { COOKIE_DOMAIN: 'auth.example.com' }, true],
    ['https://notexample.com', { COOKIE_DOMAIN: 'example.com' }, true],
  ])('name %s as an origin with %o if it shares no cookie: %s', (origin, more, isNamed) => {
    const given = warnings({ ...more, ALLOWED_ORIGINS: origin });
    expect(given).toEqual(isNamed ? [expect.stringContaining(`(${origin}): set COOKIE_`)] : []);
  });
});
