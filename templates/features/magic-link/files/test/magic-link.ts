import type { Mail } from '../src/mail/mailer.js';
import { nativeClient } from './client.js';
import type { TestService } from './service.js';

/** Asks for a link as anybody can; the token of the mail. */
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
