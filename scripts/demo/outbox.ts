import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../src/errors.js';

const waitSeconds = 5;

/**
 * The text of the newest mail with this subject that the service has written to its outbox.
 * @throws UserError if there is none within five seconds: mails leave after the answer
 */
export async function waitForMail(folder: string, subject: string): Promise<string> {
  const outbox = join(folder, 'data', 'outbox');
  const deadline = Date.now() + waitSeconds * 1000;
  while (Date.now() < deadline) {
    const mails = existsSync(outbox) ? readdirSync(outbox).sort().reverse() : [];
    const found = mails
      .map((name) => readFileSync(join(outbox, name), 'utf8'))
      .find(
        (mail) =>
          mail.includes(`\r\nSubject: ${subject}\r\n`) ||
          mail.startsWith(`Subject: ${subject}\r\n`),
      );
    if (found !== undefined) return decoded(found);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new UserError(`No mail "${subject}" in ${outbox}.`);
}

/** Quoted-printable, RFC 2045 §6.7, which is plain ASCII here. */
function decoded(mail: string): string {
  return mail
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
