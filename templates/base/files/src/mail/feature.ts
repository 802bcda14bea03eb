import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../db/schema.js';
import { defineFeature, type Worker } from '../feature.js';
import { HttpError } from '../http/errors.js';
import { LANGUAGE } from '../http/request.js';
import { mailbox, smtpUrl } from '../process/addresses.js';
import { now } from '../process/clock.js';
import { secret, text } from '../process/environment.js';
import { logOutage, reasonOf } from '../process/log.js';
import type { Services } from '../services.js';
import { type ComposeMail, composeMail, mailLimits } from './compose-mail.js';
import { type ClaimedMail, mailQueue } from './queue.js';

/** Mail servers limit the connections of a client, many of them to ten. */
const AT_ONCE = 5;
const POLL_MS = 500;
/** Mails of a killed process wait this long. A server that answers each step after many seconds may get a mail twice. */
const LEASE_MS = 60_000;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 5 * 60_000;
/** An older mail is not retried: by then its reader has asked for another one. */
const RETRIED_FOR_MS = 60 * 60_000;
/** A notice past its limit is retried for longer, but not forever: most of a flood are never sent. */
const LIMITED_FOR_MS = 6 * RETRIED_FOR_MS;
/** How long mails under way may take at shutdown; another instance sends the rest once their lease has ended. */
const LAST_MAILS_MS = 3_000;

type MailDispatcher = Worker & { sendDue(): Promise<void> };

/**
 * Sends the queued mails. It polls instead of being woken, so that response times reveal nothing
 * about the mails that requests cause. At least once: after a crash a mail may be sent again.
 */
export function createMailDispatcher(services: Services): MailDispatcher {
  const { limiter, log, mails: queue, mailer } = services;
  const composers: Record<string, ComposeMail<unknown> | undefined> = Object.assign(
    {},
    ...services.features.map(({ mails }) => mails),
  );
  const outage = logOutage(log, 'queued mails cannot be read', 'queued mails are sent again');
  let lastTurn = Promise.resolve();
  let isStopped = false;

  /** Sends what is due, until nothing is. Never rejects. */
  function sendDue(): Promise<void> {
    // An unavailable or unmigrated database is tried again with the next poll.
    lastTurn = lastTurn.then(sendAll).then(outage.end, outage.begin);
    return lastTurn;
  }

  async function poll(): Promise<void> {
    while (!isStopped) {
      await sleep(POLL_MS, undefined, { ref: false });
      await sendDue();
    }
  }

  async function sendAll(): Promise<void> {
    while (!isStopped) {
      const claimed = await queue.claim(AT_ONCE, LEASE_MS);
      if (claimed.length === 0) return;
      await Promise.all(claimed.map(attempt));
    }
  }

  async function attempt(mail: ClaimedMail): Promise<void> {
    const { name, attempts } = mail;
    try {
      await send(mail);
    } catch (error) {
      // The error itself repeats the address many times.
      const reason = reasonOf(error);
      const at = now() + Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), LONGEST_DELAY_MS);
      const retriedFor = error instanceof HttpError ? LIMITED_FOR_MS : RETRIED_FOR_MS;
      if (!isPermanent(error) && at <= mail.created_at + retriedFor) {
        log.warn({ reason, mail: name, attempts }, 'a mail could not be sent yet');
        return queue.retryAt(mail, at);
      }
      log.error({ reason, mail: name, attempts }, 'gave up on a mail');
    }
    await queue.remove(mail);
  }

  async function send({ name, data }: ClaimedMail): Promise<void> {
    const compose = composers[name];
    if (!compose) throw new Error(`No feature has a mail ${name}.`);
    const message = await compose(services, JSON.parse(data));
    if (!message) return;
    // Counted apart from what strangers request: they could keep a notice from being sent, and
    // learn that there is one. Past the limit, a notice waits like a mail that could not be sent.
    const limits = message.isNotice ? mailLimits(name, `notice:${message.to}`) : [];
    await limiter.consume(limits);
    try {
      await mailer.send(composeMail(services.config, name, message));
    } catch (error) {
      for (const limit of limits) await limiter.giveBack(...limit);
      throw error;
    }
  }

  return {
    sendDue,

    start() {
      void poll();
    },

    async stop() {
      isStopped = true;
      await Promise.race([lastTurn, sleep(LAST_MAILS_MS, undefined, { ref: false })]);
    },
  };
}

/** RFC 4954 §6: authentication required. An operator can fix it, like refused credentials. */
const LOGIN_REQUIRED = 530;

/** True if the mail server has refused this mail for good. */
function isPermanent(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || !('responseCode' in error)) return false;
  const isOfMail = error.code === 'EENVELOPE' || error.code === 'EMESSAGE';
  const code = Number(error.responseCode);
  return isOfMail && code >= 500 && code !== LOGIN_REQUIRED;
}

export const mail = defineFeature({
  variables: {
    SMTP_URL: secret(smtpUrl().optional()),
    MAIL_FROM: mailbox(),
    /** The language of mails whose request names none. */
    MAIL_LANGUAGE: text().regex(LANGUAGE, 'must be a language such as en or de-CH').prefault('en'),
  },
  limits: {
    /** Mails to one address: the number, and the pause between two of one kind. */
    mailsOfAccount: { points: 5, seconds: 3600 },
    mailPauseOfAccount: { points: 1, seconds: 60 },
  },
  stores: (db: Db) => ({ mails: mailQueue(db) }),
  worker: createMailDispatcher,
});
