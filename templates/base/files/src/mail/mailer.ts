import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.js';
import { isLoopback } from '../process/addresses.js';
import { now } from '../process/clock.js';
import type { Log } from '../process/log.js';
import { randomId } from '../process/random.js';

export interface Mail {
  /** The name that its feature gives it. */
  name: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface Mailer {
  /** Hands the mail over; rejects if that fails. Features queue their mails instead: `services.mails.add`. */
  send(mail: Mail): Promise<void>;
  /** The mails in the development outbox since the start, newest first. */
  sent?: readonly Mail[];
}

/** Sends mail through SMTP_URL; without it, outside production, writes it into a folder to look at. */
export function createMailer(config: Config, log: Log): Mailer {
  return config.SMTP_URL ? createSmtpMailer(config, config.SMTP_URL) : createOutbox(config, log);
}

const ADDRESS = /^[^\s<>,;:"()]{1,64}@[^\s<>,;:"()@]{1,255}$/u;
const CONTROL_CHARACTERS = /\p{Cc}+/gu;

/**
 * A mail as nodemailer takes it. Each address is passed as one address and never as a list to be
 * parsed, and nothing in it or in the subject can start another header: `a@x, b@y` or a line break
 * in a stored address does not send the link to somebody else.
 */
export function envelope({ MAIL_FROM, SERVICE_NAME }: Config, mail: Mail) {
  if (!ADDRESS.test(mail.to)) throw new Error('A mail can only be sent to one plain address.');
  return {
    from: { name: MAIL_FROM.name ?? SERVICE_NAME, address: MAIL_FROM.address },
    to: { name: '', address: mail.to },
    subject: mail.subject.replace(CONTROL_CHARACTERS, ' '),
    text: mail.text,
    html: mail.html,
    // RFC 3834 §5: holiday notices and the like do not answer such a mail.
    headers: { 'Auto-Submitted': 'auto-generated' },
    // No part of a mail is ever read from a file or fetched from a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** A mail server that is slower than this is down; nodemailer by itself would wait ten minutes. */
const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 20_000;

/** Sends by SMTP; in production always with TLS, except to a relay on this machine. */
export function createSmtpMailer(config: Config, smtpUrl: string): Mailer {
  let transport: ReturnType<typeof openTransport> | undefined;
  return {
    async send(mail) {
      transport ??= openTransport(config, new URL(smtpUrl));
      await (await transport).sendMail(envelope(config, mail));
    },
  };
}

async function openTransport(config: Config, url: URL) {
  // Loaded with the first mail: it would slow down every start.
  const { createTransport } = await import('nodemailer');
  const secure = url.protocol === 'smtps:';
  return createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    // STARTTLS is required: otherwise someone in between could strip the offer and read the links.
    requireTLS: config.isProduction && !isLoopback(url.hostname),
    auth: url.username
      ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
      : undefined,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
  });
}

const FOLDER = join('data', 'outbox');
const OUTBOX_SHOWN = 50;

/** For development: each mail becomes an `.eml` file, which any mail program opens. */
function createOutbox(config: Config, log: Log): Mailer {
  const sent: Mail[] = [];
  return {
    sent,
    async send(mail) {
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({ streamTransport: true, buffer: true });
      const { message } = await transport.sendMail(envelope(config, mail));
      // Sorts by time, and is a valid name on every system.
      const time = new Date(now()).toISOString().replace(/[:.]/g, '-');
      const file = join(FOLDER, `${time}-${randomId().slice(0, 8)}.eml`);
      // The links in it open accounts: only the owner may read it.
      await mkdir(FOLDER, { recursive: true, mode: 0o700 });
      await writeFile(file, message, { mode: 0o600 });
      sent.unshift(mail);
      sent.splice(OUTBOX_SHOWN);
      log.info({ mail: mail.name, to: mail.to, file }, 'mail written to the outbox');
    },
  };
}
