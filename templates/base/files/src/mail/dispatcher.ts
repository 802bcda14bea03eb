import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from '../feature.js';
import { now } from '../process/clock.js';
import type { Services } from '../services.js';
import { composeMail } from './compose-mail.js';
import type { ClaimedMail, ComposeMail } from './queue.js';

/** Mail servers limit the connections of a client, many of them to ten. */
const AT_ONCE = 5;
const POLL_MS = 500;
/** Longer than `mailer.ts` waits for a mail server. Mails of a process that was killed wait for so long. */
const LEASE_MS = 60_000;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 5 * 60_000;
/** A mail that is older is not tried again: by then its reader has asked for another one. */
const RETRIED_FOR_MS = 60 * 60_000;
/** How long mails under way may take at shutdown; another instance sends the rest. */
const LAST_MAILS_MS = 3_000;

export interface MailDispatcher extends Worker {
  /** Sends what is due, until nothing is. Never rejects. */
  sendDue(): Promise<void>;
}

/**
 * Sends the queued mails. It polls instead of being woken, so that the time of an answer tells nothing
 * of the mail that it caused. At least once: after a crash a mail may go out again.
 */
export function createMailDispatcher(services: Services): MailDispatcher {
  const { log, mails: queue, mailer } = services;
  const composers: Record<string, ComposeMail<unknown> | undefined> = Object.assign(
    {},
    ...services.features.map(({ mails }) => mails),
  );
  const underWay = new Set<ClaimedMail>();
  let polling: NodeJS.Timeout | undefined;
  let lastTurn = Promise.resolve();
  let isLooking = false;
  let isStopped = false;
  let isFailing = false;

  function sendDue(): Promise<void> {
    lastTurn = lastTurn.then(sendAll).then(
      () => {
        isFailing = false;
      },
      (error) => {
        // An unavailable or unmigrated database: logged once, tried again with the next poll.
        if (!isFailing) log.warn({ err: error }, 'queued mails could not be read');
        isFailing = true;
      },
    );
    return lastTurn;
  }

  async function sendAll(): Promise<void> {
    while (!isStopped) {
      const claimed = await queue.claim(AT_ONCE, LEASE_MS);
      if (claimed.length === 0) return;
      await Promise.all(claimed.map(attempt));
    }
  }

  async function attempt(mail: ClaimedMail): Promise<void> {
    underWay.add(mail);
    const failure = await send(mail).catch((error: unknown) => ({ error }));
    // Past the shutdown it has been handed back, and the database may be closed.
    if (!underWay.delete(mail)) return;
    if (failure === undefined) return queue.remove(mail);
    const { name, attempts } = mail;
    const at = now() + Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), LONGEST_DELAY_MS);
    if (isPermanent(failure.error) || at > mail.createdAt + RETRIED_FOR_MS) {
      log.error({ err: failure.error, mail: name, attempts }, 'a mail was given up');
      return queue.remove(mail);
    }
    log.warn({ err: failure.error, mail: name, attempts }, 'a mail could not be sent yet');
    await queue.retryAt(mail, at);
  }

  async function send({ name, data }: ClaimedMail): Promise<undefined> {
    const compose = composers[name];
    if (!compose) throw new Error(`No feature has a mail ${name}.`);
    const message = await compose(services, data);
    if (message) await mailer.send(composeMail(services.config, name, message));
  }

  return {
    sendDue,

    start() {
      polling = setInterval(async () => {
        if (isLooking) return;
        isLooking = true;
        await sendDue();
        isLooking = false;
      }, POLL_MS).unref();
    },

    async stop() {
      isStopped = true;
      clearInterval(polling);
      await Promise.race([lastTurn, sleep(LAST_MAILS_MS, undefined, { ref: false })]);
      const unsent = [...underWay];
      underWay.clear();
      for (const mail of unsent) await queue.retryAt(mail, now());
    },
  };
}

/** RFC 4954 §6: asked for a login. Like a refused one it is mended by an operator. */
const LOGIN_REQUIRED = 530;

/** True if the mail server refuses this very mail for good. */
function isPermanent(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || !('responseCode' in error)) return false;
  const isOfMail = error.code === 'EENVELOPE' || error.code === 'EMESSAGE';
  const code = Number(error.responseCode);
  return isOfMail && code >= 500 && code !== LOGIN_REQUIRED;
}
