import { rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import { mailLimits } from '../src/mail/compose-mail.js';
import { createMailDispatcher } from '../src/mail/feature.js';
import { createMailer, type Mail, type Mailer } from '../src/mail/mailer.js';
import type { Services } from '../src/services.js';
import { closedGate } from './gate.js';
import { startTestService, type TestService } from './service.js';
import { startSmtpInbox } from './smtp-inbox.js';

const SECOND = 1_000;

const MINUTE = 60 * SECOND;

/** A service whose mails are sent only by the dispatchers of the test. */
async function startQuietService(variables = {}) {
  const service = await startTestService(variables);
  await service.services.workers.mail.stop();
  return service;
}

/** Mails to it report something that nobody requested. */
const NOTIFIED = 'ada@notices.example';

/** A dispatcher like that of another instance, for mails that consist of their address. */
function dispatcherOf({ services, config }: TestService, mailer?: Mailer) {
  const greeting = async (_services: Services, { to }: { to: string }) => {
    const letter = { subject: { en: 'Hello' }, paragraphs: [{ en: 'You have an account.' }] };
    return to === 'nobody' ? undefined : { to, letter, isNotice: to === NOTIFIED };
  };
  const features = [{ name: 'greetings', mails: { greeting } }];
  const log = services.log;
  return createMailDispatcher({
    ...services,
    features,
    mailer: mailer ?? createMailer(config, log),
  });
}

async function queueMails({ services }: TestService, ...addresses: string[]): Promise<void> {
  const times = { attempts: 0, next_at: Date.now(), created_at: Date.now() };
  const rows = addresses.map((to) => ({
    id: crypto.randomUUID(),
    name: 'greeting',
    data: JSON.stringify({ to }),
    ...times,
  }));
  await services.db.insertInto('mails').values(rows).execute();
}

const queuedIn = ({ services }: TestService) =>
  services.db.selectFrom('mails').selectAll().execute();

/** Fails with the response of the mail server, until told otherwise. */
function failingMailer() {
  const sent: Mail[] = [];
  const mailer = {
    isDown: true,
    attempts: 0,
    async send(mail: Mail) {
      mailer.attempts += 1;
      if (mailer.isDown) throw new Error('451 try again later');
      sent.push(mail);
    },
    sent,
  };
  return mailer;
}

test('a 451 loses nothing: the mail goes out with a later attempt, once', async () => {
  const inbox = await startSmtpInbox();
  inbox.refusesWith = 451;
  const service = await startQuietService({ SMTP_URL: inbox.url, SERVICE_NAME: 'Acme' });
  service.stopClock();
  const dispatcher = dispatcherOf(service);
  await queueMails(service, 'ada@example.com');

  await dispatcher.sendDue();
  expect(inbox.attempts).toBe(1);
  inbox.refusesWith = undefined;
  await dispatcher.sendDue();
  expect(inbox.received, 'not before its time').toEqual([]);
  service.stopClock(SECOND);
  await dispatcher.sendDue();
  await dispatcher.sendDue();

  expect(inbox.received.map(({ to }) => to)).toEqual([['ada@example.com']]);
  expect(inbox.received[0]?.message).toContain('From: Acme <no-reply@auth.test>');
  expect(inbox.received[0]?.message).toContain('Auto-Submitted: auto-generated');
  expect(await queuedIn(service), 'nothing of it stays').toEqual([]);
});

test('a 5xx is final: the mail is given up, and the log says so', async () => {
  const inbox = await startSmtpInbox();
  inbox.refusesWith = 550;
  const service = await startQuietService({ SMTP_URL: inbox.url });
  const logged = vi.spyOn(service.services.log, 'error');
  const dispatcher = dispatcherOf(service);
  await queueMails(service, 'ada@example.com');
  await dispatcher.sendDue();
  expect([inbox.attempts, await queuedIn(service)]).toEqual([1, []]);
  const about = expect.objectContaining({ mail: 'greeting', attempts: 1 });
  expect(logged).toHaveBeenCalledWith(about, 'gave up on a mail');
});

test('the waits double from a second to five minutes; after an hour the mail is given up', async () => {
  const service = await startQuietService();
  service.stopClock();
  const mailer = failingMailer();
  const dispatcher = dispatcherOf(service, mailer);
  await queueMails(service, 'ada@example.com');
  const [queued] = await queuedIn(service);
  const waits: number[] = [];
  for (;;) {
    await dispatcher.sendDue();
    const [row] = await queuedIn(service);
    if (!row) break;
    waits.push(Math.round((row.next_at - Date.now()) / SECOND));
    service.stopClock(row.next_at - Date.now());
  }
  expect(waits.slice(0, 11)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
  const age = Date.now() - (queued?.created_at ?? 0);
  expect(age).toBeGreaterThan(54 * MINUTE);
  expect(age).toBeLessThan(61 * MINUTE);
});

test('a mail that waited for long because no instance was up is still sent', async () => {
  const service = await startQuietService();
  const mailer = failingMailer();
  mailer.isDown = false;
  await queueMails(service, 'ada@example.com');
  service.advance(24 * 60 * MINUTE);
  await dispatcherOf(service, mailer).sendDue();
  expect(mailer.sent).toHaveLength(1);
});

test('race: two instances on one database send each mail once', async () => {
  const service = await startQuietService();
  const mailer = failingMailer();
  mailer.isDown = false;
  const addresses = Array.from({ length: 60 }, (_, nth) => `user${nth}@example.com`);
  await queueMails(service, ...addresses);
  const instances = [dispatcherOf(service, mailer), dispatcherOf(service, mailer)];
  await Promise.all(instances.map((instance) => instance.sendDue()));
  expect(mailer.sent.map(({ to }) => to).sort()).toEqual(addresses.sort());
});

test('kill -9 while a mail is being sent: another instance sends it once the lease has ended', async () => {
  const service = await startQuietService();
  const never = closedGate();
  const killed = dispatcherOf(service, { send: () => never.opened });
  await queueMails(service, 'ada@example.com');
  void killed.sendDue();
  await vi.waitFor(async () => expect((await queuedIn(service))[0]?.attempts).toBe(1), 30_000);
  const mailer = failingMailer();
  mailer.isDown = false;
  const other = dispatcherOf(service, mailer);
  await other.sendDue();
  expect(mailer.sent).toEqual([]);
  service.advance(MINUTE);
  await other.sendDue();
  expect(mailer.sent).toHaveLength(1);
});

test('a mail without a recipient, or of no feature, does not delay the others', async () => {
  const service = await startQuietService();
  const mailer = failingMailer();
  mailer.isDown = false;
  await queueMails(service, 'nobody', 'ada@example.com');
  await service.services.db.updateTable('mails').set({ name: 'of a removed feature' }).execute();
  await queueMails(service, 'nobody', 'bea@example.com');
  await dispatcherOf(service, mailer).sendDue();
  expect(mailer.sent.map(({ to }) => to)).toEqual(['bea@example.com']);
});

test('race: an instance whose attempt fails after its lease does not move the attempt of another', async () => {
  const service = await startQuietService();
  service.stopClock();
  const late = closedGate();
  const refused = () => Promise.reject(new Error('451 try again later'));
  await queueMails(service, 'ada@example.com');
  const sending = dispatcherOf(service, { send: () => late.opened.then(refused) }).sendDue();
  await vi.waitFor(async () => expect((await queuedIn(service))[0]?.attempts).toBe(1), 30_000);
  service.stopClock(MINUTE);
  void dispatcherOf(service, { send: () => closedGate().opened }).sendDue();
  await vi.waitFor(async () => expect((await queuedIn(service))[0]?.attempts).toBe(2), 30_000);
  late.open();
  await sending;
  expect((await queuedIn(service))[0]?.next_at).toBe(Date.now() + MINUTE);
});

test('a notice has a limit of its own, and an attempt that fails does not use it up', async () => {
  const service = await startQuietService({ RATE_LIMIT: 'on' });
  service.stopClock();
  const mailer = failingMailer();
  const dispatcher = dispatcherOf(service, mailer);
  // As often as a stranger may request a mail to the same address.
  await service.services.limiter.consume(mailLimits('greeting', NOTIFIED));
  await queueMails(service, NOTIFIED);
  await dispatcher.sendDue();
  mailer.isDown = false;
  service.stopClock(SECOND);
  await dispatcher.sendDue();
  expect([mailer.attempts, mailer.sent.length]).toEqual([2, 1]);
  await queueMails(service, NOTIFIED);
  await dispatcher.sendDue();
  expect(mailer.attempts, 'within the pause').toBe(2);
  service.stopClock(MINUTE);
  await dispatcher.sendDue();
  expect(mailer.sent).toHaveLength(2);
});

test('of a flood of notices five an hour go out, for six hours', async () => {
  const service = await startQuietService({ RATE_LIMIT: 'on' });
  service.stopClock();
  const mailer = failingMailer();
  mailer.isDown = false;
  const dispatcher = dispatcherOf(service, mailer);
  await queueMails(service, ...Array<string>(50).fill(NOTIFIED));
  const sent: number[] = [];
  for (let minute = 0; minute <= 6 * 60; minute += 2) {
    await dispatcher.sendDue();
    if (minute % 60 === 58) sent.push(mailer.sent.length);
    service.stopClock(2 * MINUTE);
  }
  expect(sent).toEqual([5, 10, 15, 20, 25, 30]);
  expect(await queuedIn(service)).toEqual([]);
});

test.each(['', 'auth:wrong@'])(
  'a mail server that refuses the credentials "%s" loses no mail',
  async (credentials) => {
    const inbox = await startSmtpInbox();
    inbox.password = 'right';
    const SMTP_URL = inbox.url.replace('//', `//${credentials}`);
    const service = await startQuietService({ SMTP_URL });
    await queueMails(service, 'ada@example.com');
    await dispatcherOf(service).sendDue();
    expect(await queuedIn(service)).toMatchObject([{ attempts: 1 }]);
  },
);

const MAIL = { name: 'greeting', to: 'ada@example.com', subject: 'Hello', text: '', html: '' };

// Both reach the inbox; only the first one is known to stay on this machine.
test.each([
  ['127.0.0.1', 1],
  ['0.0.0.0', 0],
])('attack: in production %s gets %i mails without TLS', async (host, received) => {
  const inbox = await startSmtpInbox();
  const { config, services } = await startQuietService();
  const SMTP_URL = inbox.url.replace('127.0.0.1', host);
  const mailer = createMailer({ ...config, SMTP_URL, isProduction: true }, services.log);
  await mailer.send(MAIL).catch(({ code }) => expect(code).toBe('ETLS'));
  expect(inbox.received).toHaveLength(received);
});

test('attack: nobody else on the machine reads the mails of the outbox', async () => {
  const { config, services } = await startQuietService();
  const logged = vi.spyOn(services.log, 'info');
  await createMailer(config, services.log).send(MAIL);
  const { file } = z.object({ file: z.string() }).parse(logged.mock.calls[0]?.[0]);
  for (const path of [file, dirname(file)]) expect((await stat(path)).mode & 0o077).toBe(0);
  await rm(file);
});
