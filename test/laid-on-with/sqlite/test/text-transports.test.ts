import { expect, test } from 'vitest';
import { type Config, ConfigError, readConfig } from '../src/config.js';
import { transports } from '../src/features/sms/transports.js';
import type { Environment } from '../src/process/environment.js';
import { createLog } from '../src/process/log.js';
import { inProduction } from './environment.js';
import {
  requestTextedCode,
  signInWithPhone,
  startSmsSink,
  startTextingService,
} from './flows/sms.js';
import { openLog, startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';

const log = createLog({ LOG_LEVEL: 'silent' } as Config);

const text = { to: '+4915112345678', text: 'Grüße\n\n@example.com #123456' };

const production: Environment = inProduction;
const { NODE_ENV, SMS_TRANSPORT: _, SMS_HTTP_URL: __, ...usable } = production;

function problemsOf(variables: Environment): string[] {
  try {
    readConfig({ ...usable, ...variables });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

test.each([301, 401, 429, 500])(
  'a provider that answers %i has not sent it, and no secret is told',
  async (status) => {
    const sink = await startSmsSink();
    sink.status = status;
    const config = { SMS_HTTP_URL: sink.url, SMS_HTTP_TOKEN: 'secret-token' } as Config;

    const failure = await transports.http.send(config, log, text).catch((error: Error) => error);

    expect(failure).toBeInstanceOf(Error);
    expect(String(failure)).not.toMatch(/123456|secret-token/);
    expect(sink.requests).toHaveLength(1);
  },
);

test('a provider that is down does not change the answer; the next text works', async () => {
  const phones = await startTextingService();
  const { user } = await signInWithPhone(phones);
  phones.sink.status = 503;
  const { client } = await signInAs(phones.service);

  expect((await client.post('/sms/send', { email: user.email })).body).toEqual({ success: true });
  await phones.service.idle();

  phones.sink.status = 200;
  const code = await requestTextedCode(phones, user.email);
  expect((await client.post('/sms/verify', { email: user.email, code })).status).toBe(200);
});

test('without a provider, outside production, codes are in the log and all else works', async () => {
  const { log, lines } = openLog();
  const service = await startTestService({}, { log });
  const { client } = await signInAs(service);

  await client.post('/add-phone', { phoneNumber: text.to });
  await service.idle();

  const logged = lines.map((line) => JSON.parse(line)).find(({ to }) => to === text.to);
  const code = / #(\d{6})$/.exec(logged?.text)?.[1];
  expect((await client.post('/verify-phone', { code })).status).toBe(200);
});

test.each([
  [{}, 'SMS_TRANSPORT must be http or twilio in production'],
  [{ SMS_TRANSPORT: 'http' }, 'SMS_HTTP_URL is missing: SMS_TRANSPORT=http needs it'],
  [
    { SMS_TRANSPORT: 'http', SMS_HTTP_URL: 'sms.example.com' },
    expect.stringMatching(/^SMS_HTTP_URL must be/),
  ],
  [
    { SMS_TRANSPORT: 'http', SMS_HTTP_URL: 'http://sms.example.com/' },
    'SMS_HTTP_URL must be https in production, unless it is on this machine',
  ],
  [
    { SMS_TRANSPORT: 'twilio', SMS_TWILIO_FROM: '+15005550006' },
    'SMS_TWILIO_ACCOUNT_SID is missing: SMS_TRANSPORT=twilio needs it',
    'SMS_TWILIO_AUTH_TOKEN is missing: SMS_TRANSPORT=twilio needs it',
  ],
])('production with %j does not start', (variables, ...problems) => {
  expect(problemsOf({ NODE_ENV, ...variables })).toEqual(problems);
});

const twilio = {
  SMS_TWILIO_ACCOUNT_SID: 'AC0',
  SMS_TWILIO_AUTH_TOKEN: 'x',
  SMS_TWILIO_FROM: 'MG0',
};

test.each([
  { SMS_TRANSPORT: 'http', SMS_HTTP_URL: 'https://sms.example.com/send?key=1' },
  { SMS_TRANSPORT: 'http', SMS_HTTP_URL: 'http://127.0.0.1:9999/' },
  { SMS_TRANSPORT: 'twilio', ...twilio },
])('production with %j starts', (variables) => {
  expect(problemsOf({ NODE_ENV, ...variables })).toEqual([]);
});

test('production asks which countries texts are sent to, beside all else that is missing', () => {
  const problems = problemsOf({ NODE_ENV, SMS_TRANSPORT: 'http', SMS_COUNTRIES: '' });
  expect(problems).toEqual([
    'SMS_HTTP_URL is missing: SMS_TRANSPORT=http needs it',
    'SMS_COUNTRIES is needed in production, such as 1,44,49 (* for all)',
  ]);
  for (const SMS_COUNTRIES of ['de', '0', '1,', '49,*', '+', '1234']) {
    const isTaken = problemsOf({ NODE_ENV: 'test', SMS_COUNTRIES }).length === 0;
    expect([SMS_COUNTRIES, isTaken]).toEqual([SMS_COUNTRIES, SMS_COUNTRIES === '1,']);
  }
});

test('a URL that cannot be used is refused, without repeating what may be secret', () => {
  const problem =
    'SMS_HTTP_URL must be a URL such as https://sms.example.com/send, without user info';
  for (const url of ['ftp://sms.example.com', 'https://user:secret@sms.example.com']) {
    expect(problemsOf({ NODE_ENV: 'test', SMS_HTTP_URL: url })).toEqual([problem]);
  }
});

test.each(['token\nof', 'tökén'])('the token %j is refused and not repeated', (token) => {
  expect(problemsOf({ NODE_ENV: 'test', SMS_HTTP_TOKEN: token })).toEqual([
    'SMS_HTTP_TOKEN must be one line of ASCII characters',
  ]);
});

test('http: a text is posted as JSON with the token as Bearer', async () => {
  const { service, sink } = await startTextingService();
  const { client } = await signInAs(service);

  await client.post('/add-phone', { phoneNumber: text.to });
  await service.idle();

  expect(sink.requests).toMatchObject([
    {
      method: 'POST',
      path: '/send?sender=auth',
      headers: { 'content-type': 'application/json', authorization: 'Bearer token-of-the-sink' },
    },
  ]);
  expect(sink.texts()).toMatchObject([{ to: text.to }]);
});

test('twilio: a text is sent by the Messages API, from a number or by a messaging service', async () => {
  const sink = await startSmsSink();
  const config = {
    SMS_TWILIO_URL: sink.url,
    SMS_TWILIO_ACCOUNT_SID: 'AC0123',
    SMS_TWILIO_AUTH_TOKEN: 'secret',
  };

  for (const SMS_TWILIO_FROM of ['+15005550006', 'MG4567', 'MGM']) {
    await transports.twilio.send({ ...config, SMS_TWILIO_FROM } as Config, log, text);
  }

  expect(sink.requests).toMatchObject(
    Array(3).fill({
      method: 'POST',
      path: '/2010-04-01/Accounts/AC0123/Messages.json',
      headers: {
        authorization: `Basic ${Buffer.from('AC0123:secret').toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
      },
    }),
  );
  const sent = sink.requests.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
  expect(sent).toEqual([
    { To: text.to, From: '+15005550006', Body: text.text },
    { To: text.to, MessagingServiceSid: 'MG4567', Body: text.text },
    { To: text.to, From: 'MGM', Body: text.text },
  ]);
});
