import { describe, expect, it } from 'vitest';
import { inProduction, problemsOf, SECRETS } from '../../test/environment.js';
import { type Config, readConfig } from '../config.js';
import { requiredInProduction } from '../db/variables.js';
import type { FeatureParts } from '../feature.js';
import { features as known } from '../features.js';
import { createLog } from './log.js';

const { ACCESS_TOKEN_SECRET: ACCESS, REFRESH_TOKEN_SECRET: REFRESH } = SECRETS;

const DEVELOPMENT = { ...SECRETS, NODE_ENV: 'development' };

const features: FeatureParts[] = Object.values(known);

describe('what is left out', () => {
  it('needs nothing but secrets in development', () => {
    expect(problemsOf(SECRETS)).toEqual([]);
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
      APP_URL: expect.stringMatching(/^http:\/\/localhost:4000/),
      ALLOWED_ORIGINS: ['http://localhost:4000'],
    });
    expect(readConfig({ ...inProduction, APP_URL: 'https://example.com/app/' })).toMatchObject({
      APP_URL: 'https://example.com/app',
      ALLOWED_ORIGINS: ['https://auth.example.com', 'https://example.com'],
      MAIL_FROM: { name: undefined, address: 'no-reply@auth.example.com' },
    });
  });
});

describe('secrets', () => {
  it.each([
    ['one character', 'a'.repeat(64)],
    ['few characters', 'abcabcaabbccabacbcabcabcaabbccab'],
    ['a repetition', 'correct-horse-9!'.repeat(3)],
    ['an example', 'please-change-me-1234567890-XYZ!'],
  ])('of %s are refused in production only', (_kind, weak) => {
    expect(problemsOf({ ...inProduction, ACCESS_TOKEN_SECRET: weak })).toEqual([
      'ACCESS_TOKEN_SECRET must be random in production (openssl rand -hex 32)',
    ]);
    expect(problemsOf({ ...DEVELOPMENT, ACCESS_TOKEN_SECRET: weak })).toEqual([]);
  });

  it('are never the same for both kinds of token', () => {
    const [problem] = problemsOf({ ...DEVELOPMENT, REFRESH_TOKEN_SECRET: `${REFRESH},${ACCESS}` });
    expect(problem).toMatch(/^REFRESH_TOKEN_SECRET must/);
  });
});

describe('production', () => {
  /** The required variables; APP_URL is one if the service has no pages of its own. */
  const pages = features.some(({ appPath }) => appPath) ? [] : ['APP_URL'];

  it.each(['BASE_URL', ...requiredInProduction, ...pages])('does not start without %s', (name) => {
    expect(problemsOf({ ...inProduction, [name]: '' })).toEqual([
      `${name} is missing: it is needed in production`,
    ]);
  });
});

describe('cookies', () => {
  it('are Secure in production, and wherever the service is reached by https', () => {
    expect(readConfig(DEVELOPMENT).secureCookies).toBe(false);
    expect(readConfig(inProduction).secureCookies).toBe(true);
    expect(readConfig({ ...DEVELOPMENT, BASE_URL: 'https://localhost' }).secureCookies).toBe(true);
  });
});

it('redacts what must never be logged, and keeps the codes of errors', () => {
  let written = '';
  const log = createLog({ LOG_LEVEL: 'info' } as Config, {
    write(line) {
      written += line;
    },
  });
  log.info({
    accessToken: 'sesame',
    body: { code: 'sesame', tempToken: 'sesame' },
    request: { headers: { cookie: 'sesame', authorization: 'sesame' } },
    err: Object.assign(new Error('gone'), { code: 'ENOENT' }),
  });
  expect(written).toContain('ENOENT');
  expect(written).not.toContain('sesame');
});
