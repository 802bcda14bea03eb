import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The links with a token in the mails that a service in this folder sent to an address, newest first. */
export function mailedLinks(folder: string, email: string): string[] {
  const outbox = join(folder, 'data/outbox');
  const names = existsSync(outbox) ? readdirSync(outbox).sort().reverse() : [];
  const mails = names.map((name) => readFileSync(join(outbox, name), 'utf8'));
  return mails
    .filter((mail) => mail.includes(`To: ${email}`))
    .flatMap((mail) => {
      // Mails are in quoted-printable (RFC 2045 §6.7).
      const plain = mail.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
      return /https?:\/\/\S+\?token=[0-9a-f]{64}/.exec(plain)?.[0] ?? [];
    });
}
