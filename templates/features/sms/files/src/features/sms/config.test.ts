import { expect, test } from 'vitest';
import type { Environment } from '../../environment/defaults.js';
import { ConfigError, readConfig } from '../../environment/read-config.js';

const usable = {
  ACCESS_TOKEN_SECRET: 'kUBw0vxKq2mTzN8LrYc5aHfPdJ7sEo3i',
  REFRESH_TOKEN_SECRET: 'Zq1XyWn4VtGbR6hMjC9pLsDkFe8uAo2T',
  BASE_URL: 'https://auth.example.com',
  SMTP_URL: 'smtps://mail.example.com',
};
const inProduction = { ...usable, NODE_ENV: 'production' };

function problemsOf(variables: Environment): string[] {
  try {
    readConfig(variables);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

test.each([
  [{}, 'SMS_TRANSPORT must be http or twilio in production'],
  [{ SMS_TRANSPORT: 'log' }, 'SMS_TRANSPORT must be http or twilio in production'],
  [{ SMS_TRANSPORT: 'http' }, 'SMS_HTTP_URL is missing: SMS_TRANSPORT=http needs it'],
  [
    { SMS_TRANSPORT: 'http', SMS_HTTP_URL: 'http://sms.example.com/' },
    'SMS_HTTP_URL must be https in production, but on this very machine',
  ],
  [
    { SMS_TRANSPORT: 'twilio', SMS_TWILIO_FROM: '+15005550006' },
    'SMS_TWILIO_ACCOUNT_SID, SMS_TWILIO_AUTH_TOKEN is missing: SMS_TRANSPORT=twilio needs it',
  ],
])('production with %j does not start', (variables, problem) => {
  expect(problemsOf({ ...inProduction, ...variables })).toEqual([problem]);
});

test.each([
  { SMS_TRANSPORT: 'http', SMS_HTTP_URL: 'https://sms.example.com/send?key=1' },
  { SMS_TRANSPORT: 'http', SMS_HTTP_URL: 'http://127.0.0.1:9999/' },
  {
    SMS_TRANSPORT: 'twilio',
    SMS_TWILIO_ACCOUNT_SID: 'AC0',
    SMS_TWILIO_AUTH_TOKEN: 'x',
    SMS_TWILIO_FROM: 'MG0',
  },
])('production with %j starts', (variables) => {
  expect(problemsOf({ ...inProduction, ...variables })).toEqual([]);
});

test.each([
  [{ SMS_TRANSPORT: 'pigeon' }, 'SMS_TRANSPORT must be one of log, http, twilio'],
  [
    { SMS_HTTP_URL: 'ftp://sms.example.com' },
    'SMS_HTTP_URL must be a URL such as https://sms.example.com/send, without user info',
  ],
  [
    { SMS_HTTP_URL: 'https://user:secret@sms.example.com' },
    'SMS_HTTP_URL must be a URL such as https://sms.example.com/send, without user info',
  ],
])('%j is refused, without repeating what may be secret', (variables, problem) => {
  expect(problemsOf({ ...usable, ...variables })).toEqual([problem]);
});

test('outside production nothing needs to be set', () => {
  expect(readConfig(usable)).toMatchObject({ SMS_TRANSPORT: 'log' });
});
