import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { now } from '../clock.js';
import type { Config } from '../config.js';
import type { Log } from '../log.js';
import { randomId } from '../random.js';
import { envelope } from './envelope.js';
import type { Mailer } from './mailer.js';

const FOLDER = join('data', 'outbox');

/** For development: each mail becomes an `.eml` file, which any mail program opens. */
export function createOutbox(config: Config, log: Log): Mailer {
  return {
    async send(mail) {
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({ streamTransport: true, buffer: true });
      const { message } = await transport.sendMail(envelope(config, mail));
      const file = join(FOLDER, `${fileTime()}-${randomId().slice(0, 8)}.eml`);
      // The links in it open accounts: only the owner may read it.
      await mkdir(FOLDER, { recursive: true, mode: 0o700 });
      await writeFile(file, message, { mode: 0o600 });
      log.info({ to: mail.to, subject: mail.subject, file }, 'mail written to the outbox');
    },
  };
}

/** Sorts by time and is a valid name on every system. */
function fileTime(): string {
  return new Date(now()).toISOString().replace(/[:.]/g, '-');
}
