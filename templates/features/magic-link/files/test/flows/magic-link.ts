import { METHOD } from '../../src/features/magic-link/link.js';
import type { Mail } from '../../src/mail/mailer.js';
import { type Client, nativeClient } from '../client.js';
import type { MakeFlow } from '../security/flow.js';
import { startTestService, type TestService } from '../service.js';
import { signInAs } from '../sign-in-as.js';

/** Requests a link as a signed-out visitor; returns its token. */
export async function requestMagicLink(service: TestService, email: string): Promise<string> {
  const before = (await service.mails()).length;
  await nativeClient(service).post('/magic-link/send', { email });
  return linkTokenIn((await service.mails())[before]);
}

/** The token of a mailed link. */
export function linkTokenIn(mail: Pick<Mail, 'text'> | undefined): string {
  const [, token] = /\/magic-link\?token=([0-9a-f]{64})\b/.exec(mail?.text ?? '') ?? [];
  if (!token) throw new Error('No link was mailed.');
  return token;
}

/** Requests a link as a signed-out visitor. */
export function sendLink(service: TestService, email: unknown, headers = {}) {
  return nativeClient(service).post('/magic-link/send', { email }, headers);
}

export function verifyLink(client: Client, token: unknown) {
  return client.post('/magic-link/verify', { token });
}

/** A user with an account, and a link that was mailed to them. */
export async function withLink() {
  const service = await startTestService();
  const ada = await signInAs(service, { email: 'ada@example.com', isEmailProven: false });
  const token = await requestMagicLink(service, ada.user.email);
  return { service, ada, token, client: nativeClient(service) };
}

export const magicLink: MakeFlow[] = [
  () => ({
    route: 'POST /magic-link/verify',
    method: METHOD,
    provesAddress: true,
    async start(service, { user }, client) {
      const secret = await requestMagicLink(service, user.email);
      return { secret, send: (token = secret) => client.post('/magic-link/verify', { token }) };
    },
  }),
];
