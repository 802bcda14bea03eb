import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../src/errors.js';

const waitSeconds = 5;
const read = new Set<string>();

/**
 * The text of the newest mail with this subject in the service's outbox that was not read before.
 * @throws UserError if there is none within five seconds: mails leave after the answer
 */
export async function waitForMail(folder: string, subject: string): Promise<string> {
  const outbox = join(folder, 'data', 'outbox');
  const deadline = Date.now() + waitSeconds * 1000;
  while (Date.now() < deadline) {
    const names = existsSync(outbox) ? readdirSync(outbox).sort().reverse() : [];
    for (const name of names.filter((each) => !read.has(each))) {
      const mail = readFileSync(join(outbox, name), 'utf8');
      if (!`\r\n${mail}`.includes(`\r\nSubject: ${subject}\r\n`)) continue;
      read.add(name);
      return decoded(mail);
    }
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
