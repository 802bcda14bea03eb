import { describe, expect, it } from 'vitest';
import { inProduction } from '../../test/in-production.js';
import { ConfigError, readConfig, warningsOf } from '../config.js';

const ACCESS = 'f2b6e1a98c07d45390ab12cd34ef56718293a4b5c6d7e8f90a1b2c3d4e5f6071';
const REFRESH = '0d9c8b7a6f5e4d3c2b1a09f8e7d6c5b4a3928170615243342516a7b8c9dae0b1';
const DEVELOPMENT = { ACCESS_TOKEN_SECRET: ACCESS, REFRESH_TOKEN_SECRET: REFRESH };
const PRODUCTION = { ...DEVELOPMENT, ...inProduction };

function problemsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('what is left out', () => {
  it('needs nothing but two secrets in development', () => {
    expect(problemsOf(DEVELOPMENT)).toEqual([]);
  });

  it('names every problem at once', () => {
    const problems = problemsOf({
      PORT: 'http',
      BASE_URL: 'auth',
      CSRF: 'no',
      COOKIE_SAMESITE: 'none',
    });
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
      'PORT',
      'BASE_URL',
      'ACCESS_TOKEN_SECRET',
      'REFRESH_TOKEN_SECRET',
      'CSRF',
      'COOKIE_SAMESITE',
    ]);
  });

  it('counts an empty variable as missing', () => {
    expect(readConfig({ ...DEVELOPMENT, PORT: '', LOG_LEVEL: ' ' })).toMatchObject({
      PORT: 3000,
      LOG_LEVEL: 'info',
    });
    expect(problemsOf({ ...DEVELOPMENT, ACCESS_TOKEN_SECRET: '' })).toEqual([
      'ACCESS_TOKEN_SECRET is missing',
    ]);
  });

  it('derives the addresses from one another', () => {
    expect(readConfig({ ...DEVELOPMENT, PORT: '4000' })).toMatchObject({
      BASE_URL: 'http://localhost:4000',
      APP_URL: 'http://localhost:4000',
      ALLOWED_ORIGINS: ['http://localhost:4000'],
    });
    expect(readConfig({ ...PRODUCTION, APP_URL: 'https://example.com/app/' })).toMatchObject({
      APP_URL: 'https://example.com/app',
      ALLOWED_ORIGINS: ['https://auth.example.com', 'https://example.com'],
      MAIL_FROM: 'no-reply@auth.example.com',
    });
  });

  it('migrates and shows its document by itself only outside production', () => {
    expect(readConfig(DEVELOPMENT)).toMatchObject({ MIGRATE_ON_START: true, OPENAPI: true });
    expect(readConfig(PRODUCTION)).toMatchObject({ MIGRATE_ON_START: false, OPENAPI: false });
  });
});

describe('one variable', () => {
  it.each<[string, string, unknown]>([
    ['ACCESS_TOKEN_TTL', '15m', 900_000],
    ['REFRESH_TOKEN_TTL', '7d', 604_800_000],
    ['REFRESH_REUSE_WINDOW', '0s', 0],
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
    ['MAIL_FROM', 'Example <no-reply@example.com>', 'Example <no-reply@example.com>'],
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
    ['BODY_LIMIT', '1gb'],
    ['CSRF', 'true'],
    ['TRUST_PROXY', '10.0.0.0/33'],
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
    ['COOKIE_DOMAIN', 'com'],
    ['COOKIE_DOMAIN', 'example.com; Secure'],
    ['SMTP_URL', 'https://mail.example.com'],
    ['SMTP_URL', 'smtp://mail.example.com?requireTLS=false'],
    ['MAIL_FROM', 'a@example.com\r\nBcc: b@example.com'],
    ['ACCESS_TOKEN_SECRET', 'too-short'],
    ['ACCESS_TOKEN_SECRET', `${ACCESS},too-short`],
  ])('%s refuses %s', (name, text) => {
    const [problem, ...others] = problemsOf({ ...DEVELOPMENT, [name]: text });
    expect(problem).toMatch(new RegExp(`^${name} must be `));
    expect(others).toEqual([]);
  });
});

describe('secrets', () => {
  it.each([
    ['one character', 'a'.repeat(64)],
    ['few characters', 'abcabcaabbccabacbcabcabcaabbccab'],
    ['a repetition', 'correct-horse-9!'.repeat(3)],
    ['an example', 'please-change-me-1234567890-XYZ!'],
  ])('of %s are refused in production only', (_kind, weak) => {
    expect(problemsOf({ ...PRODUCTION, ACCESS_TOKEN_SECRET: weak })).toEqual([
      'ACCESS_TOKEN_SECRET must be random in production (openssl rand -hex 32)',
    ]);
    expect(problemsOf({ ...DEVELOPMENT, ACCESS_TOKEN_SECRET: weak })).toEqual([]);
  });

  it('are never the same for both kinds of token', () => {
    const [problem] = problemsOf({ ...DEVELOPMENT, REFRESH_TOKEN_SECRET: `${REFRESH},${ACCESS}` });
    expect(problem).toMatch(/^REFRESH_TOKEN_SECRET must/);
  });

  it('are not repeated in a problem', () => {
    const secret = 'hunter2hunter2';
    const environment = {
      ACCESS_TOKEN_SECRET: secret,
      SMTP_URL: `http://user:${secret}@x`,
      PORT: secret,
    };
    expect(problemsOf(environment).join('\n')).not.toContain(secret);
  });
});

describe('cookies', () => {
  it('are Secure in production, and wherever the service is reached by https', () => {
    expect(readConfig(DEVELOPMENT).secureCookies).toBe(false);
    expect(readConfig(PRODUCTION).secureCookies).toBe(true);
    expect(readConfig({ ...DEVELOPMENT, BASE_URL: 'https://localhost' }).secureCookies).toBe(true);
  });

  it('without a SameSite rule must be Secure', () => {
    expect(problemsOf({ ...DEVELOPMENT, COOKIE_SAMESITE: 'none' })).toHaveLength(1);
    expect(problemsOf({ ...PRODUCTION, COOKIE_SAMESITE: 'none' })).toEqual([]);
  });

  it('belong to the domain of the service', () => {
    expect(problemsOf({ ...PRODUCTION, COOKIE_DOMAIN: '.example.com' })).toEqual([]);
    expect(problemsOf({ ...PRODUCTION, COOKIE_DOMAIN: 'ample.com' })).toHaveLength(1);
  });
});

describe('warnings', () => {
  const warnings = (environment: Record<string, string>) =>
    warningsOf(readConfig({ ...PRODUCTION, ...environment }));

  it('are given in production of what protects nobody', () => {
    expect(warnings({})).toEqual([]);
    expect(warnings({ CSRF: 'off', RATE_LIMIT: 'off' })).toEqual([
      expect.stringMatching(/^CSRF=off/),
      expect.stringMatching(/^RATE_LIMIT=off/),
    ]);
    expect(warningsOf(readConfig({ ...DEVELOPMENT, CSRF: 'off' }))).toEqual([]);
  });

  it.each([
    ['https://auth.example.com:8443', {}, undefined],
    ['https://app.example.com', { COOKIE_DOMAIN: 'example.com' }, undefined],
    ['https://example.com', { COOKIE_DOMAIN: 'example.com' }, undefined],
    ['https://app.example.com', {}, 'set COOKIE_DOMAIN=example.com, or let its pages send'],
    ['https://example.com', {}, 'set COOKIE_DOMAIN=example.com'],
    ['https://example.com', { COOKIE_DOMAIN: 'auth.example.com' }, 'set COOKIE_DOMAIN=example.com'],
    ['https://other.com', {}, 'https://other.com (let its pages send X-Auth-Strategy: bearer)'],
    ['https://notexample.com', { COOKIE_DOMAIN: 'example.com' }, 'X-Auth-Strategy: bearer'],
  ])('are given of %s as an origin with %o if it shares no cookie: %s', (origin, more, remedy) => {
    const given = warnings({ ...more, ALLOWED_ORIGINS: origin });
    expect(given).toEqual(remedy === undefined ? [] : [expect.stringContaining(remedy)]);
  });
});
