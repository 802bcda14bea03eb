import type { Config } from '../config.js';
import { envelope } from './envelope.js';
import type { Mailer } from './mailer.js';

/** A mail server that is slower than this is down; nodemailer by itself would wait ten minutes. */
const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 30_000;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Sends by SMTP. In production never without TLS, but to a relay on this very machine. */
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
  // Loaded with the first mail: it would slow down every start, also of services that send none.
  const { createTransport } = await import('nodemailer');
  const isLoopback = LOOPBACK.test(url.hostname);
  const secure = url.protocol === 'smtps:';
  return createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    // STARTTLS or nothing: else whoever sits in between takes the offer away and reads the links.
    requireTLS: config.isProduction && !isLoopback,
    auth: credentials(url),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
  });
}

function credentials(url: URL) {
  if (!url.username) return undefined;
  return { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) };
}
