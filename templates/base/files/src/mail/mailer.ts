import type { Config } from '../config.js';
import type { Log } from '../log.js';
import { createOutbox } from './outbox.js';
import { createSmtpMailer } from './smtp.js';

/** One mail to one person. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface Mailer {
  /** Hands the mail over; rejects if that fails. Call it off the request path. */
  send(mail: Mail): Promise<void>;
}

/** Mails go out by SMTP_URL; without it, outside production, into a folder to look at. */
export function createMailer(config: Config, log: Log): Mailer {
  if (config.SMTP_URL) return createSmtpMailer(config, config.SMTP_URL);
  if (config.isProduction) return { send: refuseToSend };
  return createOutbox(config, log);
}

/** Reached only if a team sends mail from a feature that does not say so in its `config.ts`. */
async function refuseToSend(): Promise<void> {
  throw new Error('SMTP_URL is not set, so no mail can be sent.');
}
