import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { isSigned } from '../src/features/tools/signature.js';
import type { SignatureKind } from '../src/features/webhook-configs/store.js';
import { now } from '../src/process/clock.js';
import { addScript, callTools } from './inbound.js';
import { startTestService } from './service.js';

/** The published test vectors of each sender, and when they were signed (s). */
const PUBLISHED: {
  kind: SignatureKind;
  secret: string;
  headers: Record<string, string>;
  body: string;
  at: number;
}[] = [
  {
    // https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
    kind: 'github',
    secret: "It's a Secret to Everybody",
    headers: {
      'x-hub-signature-256':
        'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    },
    body: 'Hello, World!',
    at: 0,
  },
  {
    // https://docs.slack.dev/authentication/verifying-requests-from-slack
    kind: 'slack',
    secret: '8f742231b10e8888abcd99yyyzzz85a5',
    headers: {
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    },
    body: 'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
    at: 1531420618,
  },
  {
    // https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
    kind: 'standard-webhooks',
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    headers: {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    body: '{"test": 2432232314}',
    at: 1614265330,
  },
  {
    // https://github.com/stripe/stripe-dotnet: EventUtilityTest.cs and event_test_signature.json
    kind: 'stripe',
    secret: 'webhook_secret',
    headers: {
      'stripe-signature':
        't=1533204620,v1=2220f87ef101a04665f11cdf770523143f875572008577fa0f20882ddb9cc3c7,v0=63f3a72374a733066c4be69ed7f8e5ac85c22c9f0a6a612ab9a025a9e4ee7eef',
    },
    body: '{\n  "id": "evt_123",\n  "object": "event",\n  "account": "acct_123",\n  "api_version": "2017-05-25",\n  "created": 1533204620,\n  "data": {\n    "object": {\n      "id": "cus_123",\n      "object": "customer",\n      "created": 123456789,\n      "email": "test@stripe.com",\n      "livemode": false,\n      "metadata": {}\n    }\n  },\n  "livemode": false,\n  "pending_webhooks": 1,\n  "request": {\n    "id": "req_123",\n    "idempotency_key": "idempotency-key-123"\n  },\n  "type": "customer.created"\n}\n',
    at: 1533204620,
  },
];

test.each(PUBLISHED)(
  'the published example of $kind is genuine, and nothing near it',
  async (example) => {
    const service = await startTestService();
    const { kind, secret, headers, body, at } = example;
    const verify = (from = headers, key = secret, text = body) =>
      isSigned(kind, key, (name) => from[name], Buffer.from(text));
    const setTime = (seconds: number) => service.advance(seconds * 1_000 - now());

    setTime(at);
    expect(verify()).toBe(true);
    if (kind !== 'standard-webhooks') {
      // Some senders write hexadecimal digits in capitals.
      const inCapitals = Object.entries(headers).map(([name, value]) => {
        return [name, value.replace(/[0-9a-f]{64}/g, (digits) => digits.toUpperCase())];
      });
      expect(verify(Object.fromEntries(inCapitals))).toBe(true);
    }
    expect(verify(headers, secret.replace(/[a-z]{2}$|.$/, 'xx'))).toBe(false);
    expect(verify(headers, secret, `${body} `)).toBe(false);
    for (const name of Object.keys(headers)) {
      const { [name]: value = '', ...others } = headers;
      for (const wrong of [
        {},
        { [name]: '' },
        { [name]: value.slice(0, value.length / 2) },
        { [name]: 'x' },
      ]) {
        expect(verify({ ...others, ...wrong })).toBe(false);
      }
    }
    // Clocks may differ by a minute; a replay after five is refused.
    const isTimed = at > 0;
    for (const [offset, isGenuine] of [
      [60, true],
      [-60, true],
      [310, !isTimed],
      [-310, !isTimed],
    ] as const) {
      setTime(at + offset);
      expect([offset, verify()]).toEqual([offset, isGenuine]);
    }
  },
);

test('attack: a secret without a key in it is no key', () => {
  const time = String(Math.floor(now() / 1_000));
  const digest = createHmac('sha256', '').update(`id.${time}.{}`).digest('base64');
  const headers: Record<string, string> = {
    'webhook-id': 'id',
    'webhook-timestamp': time,
    'webhook-signature': `v1,${digest}`,
  };
  const header = (name: string) => headers[name];
  expect(isSigned('standard-webhooks', 'whsec_**', header, Buffer.from('{}'))).toBe(false);
});

test('a sender that changes its secret may sign with both, and only its own kind counts', async () => {
  const service = await startTestService();
  const secret = 'whsec_of_stripe';
  await addScript(service, 'result = null', { secret, signature: 'stripe' });
  const time = Math.floor(now() / 1_000);
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
  const genuine = { 'stripe-signature': `t=${time},v1=${'0'.repeat(64)},v1=${sign(`${time}.{}`)}` };
  expect(await callTools(service, '{}', genuine)).toEqual({ status: 200, body: { ok: true } });
  const wrong: Record<string, string>[] = [
    { 'x-webhook-signature': `sha256=${sign('{}')}` },
    { 'x-hub-signature-256': `sha256=${sign('{}')}` },
    { 'stripe-signature': `t=${time},v0=${sign(`${time}.{}`)}` },
    { 'stripe-signature': `t=${time - 400},v1=${sign(`${time - 400}.{}`)}` },
  ];
  for (const headers of wrong) {
    expect((await callTools(service, '{}', headers)).body.code).toBe('INVALID_SIGNATURE');
  }
});
