import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { METHOD } from '../../src/features/sms/login.js';
import { randomInt } from '../../src/process/random.js';
import { nativeClient } from '../client.js';
import type { MakeFlow } from '../security/flow.js';
import { startTestService, type TestEnvironment, type TestService } from '../service.js';
import { type Person, type SignedIn, signInAs } from '../sign-in-as.js';

type SmsSink = Awaited<ReturnType<typeof startSmsSink>>;

/** A provider of texts on loopback that keeps what it receives; it ends with the test. */
export async function startSmsSink() {
  /** Every request so far, oldest first. */
  const requests: {
    method: string;
    path: string;
    headers: Record<string, unknown>;
    body: string;
  }[] = [];
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    requests.push({ method, path, headers, body: await text(request) });
    response.writeHead(sink.status, { location: '/elsewhere' }).end('{}');
  }

  const server = createServer((request, response) => {
    // At the end of a test the client may be gone before all has been read.
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const environment: TestEnvironment = {
    SMS_TRANSPORT: 'http',
    SMS_HTTP_URL: `${url}/send?sender=auth`,
    SMS_HTTP_TOKEN: 'token-of-the-sink',
  };
  /** Every text so far. */
  const texts = (): { to: string; text: string }[] => requests.map(({ body }) => JSON.parse(body));
  const sink = { url, environment, requests, texts, status: 200 };
  return sink;
}

let shared: Promise<SmsSink> | undefined;

/** The one sink of a test in which several flows send texts. */
export function sinkOfTest(): Promise<SmsSink> {
  shared ??= startSmsSink();
  onTestFinished(() => {
    shared = undefined;
  });
  return shared;
}

export type Phones = ReturnType<typeof phonesOf>;

/** A service that texts to a sink. */
export async function startTextingService(
  variables: TestEnvironment = {},
  start = startTestService,
): Promise<Phones> {
  const sink = await startSmsSink();
  return phonesOf(await start({ ...sink.environment, ...variables }), sink);
}

export function phonesOf(service: TestService, sink: SmsSink) {
  /** The code of the last text. */
  async function lastCode(): Promise<string> {
    await service.idle();
    const code = / #(\d{6})$/.exec(sink.texts().at(-1)?.text ?? '')?.[1];
    if (!code) throw new Error('No code was texted.');
    return code;
  }
  return {
    service,
    sink,
    lastCode,
    /** A code other than the last one. */
    async wrongCode(): Promise<string> {
      return String((Number(await lastCode()) + 1) % 1_000_000).padStart(6, '0');
    },
  };
}

/** Makes an account with a session, and adds and verifies a phone by the routes. */
export async function signInWithPhone(
  phones: Phones,
  person: Person = {},
): Promise<SignedIn & { phoneNumber: string }> {
  const signedIn = await signInAs(phones.service, person);
  return { ...signedIn, phoneNumber: await verifyPhone(phones, signedIn) };
}

/** Adds and verifies a phone by the routes; returns its number. */
export async function verifyPhone(phones: Phones, person: SignedIn): Promise<string> {
  const phoneNumber = `+4915112${100_000 + randomInt(900_000)}`;
  const code = await addPhone(phones, person, phoneNumber);
  const { status } = await person.client.post('/verify-phone', { code });
  if (status !== 200) throw new Error(`The phone was not verified: ${status}.`);
  return phoneNumber;
}

/** Requests a code for a new number; returns the code. */
export async function addPhone(
  phones: Phones,
  { client }: SignedIn,
  phoneNumber: string,
): Promise<string> {
  await client.post('/add-phone', { phoneNumber });
  return phones.lastCode();
}

/** Requests a code as a signed-out visitor; returns the code. */
export async function requestTextedCode(phones: Phones, email: string): Promise<string> {
  await nativeClient(phones.service).post('/sms/send', { email });
  return phones.lastCode();
}

/** Requests a code for the account that the JSON body names. */
export function sendCode({ service }: Phones, who: unknown) {
  return nativeClient(service).post('/sms/send', who);
}

export function verifyCode({ service }: Phones, body: unknown) {
  return nativeClient(service).post('/sms/verify', body);
}

/** Somebody with a phone, to which a code was texted. */
export async function withCode() {
  const phones = await startTextingService();
  const ada = await signInWithPhone(phones, { email: 'ada@example.com' });
  const { email } = ada.user;
  return { phones, ada, email, code: await requestTextedCode(phones, email) };
}

export const sms: MakeFlow[] = [
  async () => {
    const sink = await sinkOfTest();
    return {
      route: 'POST /sms/verify',
      method: METHOD,
      variables: sink.environment,
      enrol: (service, person) => verifyPhone(phonesOf(service, sink), person),
      async start(service, { user: { email } }, client) {
        const secret = await requestTextedCode(phonesOf(service, sink), email);
        return { secret, send: (code = secret) => client.post('/sms/verify', { email, code }) };
      },
    };
  },

  async () => {
    const sink = await sinkOfTest();
    return {
      route: 'POST /verify-phone',
      variables: sink.environment,
      async start(service, { client }) {
        await client.post('/add-phone', { phoneNumber: '+4915112345678' });
        const secret = await phonesOf(service, sink).lastCode();
        return { secret, send: (code = secret) => client.post('/verify-phone', { code }) };
      },
    };
  },
];
