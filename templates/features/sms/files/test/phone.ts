import { randomDigits } from '../src/random.js';
import { nativeClient } from './client.js';
import { startTestService, type TestEnvironment, type TestService } from './service.js';
import { type Person, type SignedIn, signInAs } from './sign-in-as.js';
import { type SmsSink, startSmsSink } from './sms-sink.js';

export interface Phones {
  service: TestService;
  sink: SmsSink;
  /** The code of the last text. */
  lastCode(): Promise<string>;
  /** A code that the last one is not. */
  wrongCode(): Promise<string>;
}

/** A service that texts to a sink. */
export async function startTextingService(
  variables: TestEnvironment = {},
  start = startTestService,
): Promise<Phones> {
  const sink = await startSmsSink();
  return phonesOf(await start({ ...sink.environment, ...variables }), sink);
}

/** The texts of a service to a sink. */
export function phonesOf(service: TestService, sink: SmsSink): Phones {
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
    async wrongCode() {
      return String((Number(await lastCode()) + 1) % 1_000_000).padStart(6, '0');
    },
  };
}

/** Makes an account with a session and a phone that was verified as people do it. */
export async function signInWithPhone(
  phones: Phones,
  person: Person = {},
): Promise<SignedIn & { phoneNumber: string }> {
  const signedIn = await signInAs(phones.service, person);
  return { ...signedIn, phoneNumber: await verifyPhone(phones, signedIn) };
}

/** Gives a signed-in user a phone that was verified as people do it; its number. */
export async function verifyPhone(phones: Phones, { client }: SignedIn): Promise<string> {
  const phoneNumber = `+4915112${randomDigits(6)}`;
  await client.post('/add-phone', { phoneNumber });
  const { status } = await client.post('/verify-phone', { code: await phones.lastCode() });
  if (status !== 200) throw new Error(`The phone was not verified: ${status}.`);
  return phoneNumber;
}

/** Asks for a code as anybody can; the code of the text. */
export async function requestTextedCode(phones: Phones, email: string): Promise<string> {
  await nativeClient(phones.service).post('/sms/send', { email });
  return phones.lastCode();
}
