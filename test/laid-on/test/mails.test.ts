import { expect, test, vi } from 'vitest';
import { nativeClient } from './client.js';
import { createPasswordAccount } from './flows/password.js';
import { atLastStep, startWithFlows } from './security/flow.js';
import { startTestService } from './service.js';

test('a mail names the service, says its language, and has colors for the dark', async () => {
  const service = await startTestService({ SERVICE_NAME: 'Tom & Jerry' });
  const { email } = await createPasswordAccount(service);
  await nativeClient(service).post('/forgot-password', { email });
  const [mail] = await service.mails();
  expect(mail?.html).toContain('<html lang="en">');
  expect(mail?.html).toContain('Tom &amp; Jerry');
  expect(mail?.html).toContain('<meta name="color-scheme" content="light dark">');
  expect(mail?.html).toContain('@media (prefers-color-scheme: dark)');
  expect(mail?.text).toContain('Tom & Jerry');
});

test('a request in German gets a mail in German, and with MAIL_LANGUAGE=de one in no language too', async () => {
  const subjectOf = async (MAIL_LANGUAGE: string, emailLang?: string) => {
    const service = await startTestService({ MAIL_LANGUAGE });
    const { email } = await createPasswordAccount(service);
    await nativeClient(service).post('/forgot-password', { email, emailLang });
    const [mail] = await service.mails();
    expect(mail?.html).toContain(`<html lang="${mail?.subject.startsWith('S') ? 'de' : 'en'}">`);
    return mail?.subject;
  };
  const [english, german] = ['Reset your password', 'Setzen Sie Ihr Passwort zurück'];
  expect(await subjectOf('en', 'de-AT')).toBe(german);
  expect(await subjectOf('de')).toBe(german);
  expect(await subjectOf('de', 'en')).toBe(english);
  expect(await subjectOf('de', 'fr')).toBe(german);
});

test('registering and signing in at once in strict mode mails one link, in the language asked for', async () => {
  const service = await startTestService({ EMAIL_VERIFICATION: 'strict', RATE_LIMIT: 'on' });
  const { db, workers } = service.services;
  await workers.mail.stop();
  const client = nativeClient(service);
  const ada = { email: 'ada@example.com', password: 'correct horse battery', emailLang: 'de-AT' };

  const { body } = await client.post('/register', ada);
  expect((await client.post('/login', ada)).body.code).toBe('EMAIL_NOT_VERIFIED');
  service.advance(60_000);
  expect((await client.post('/login', ada)).body.code).toBe('EMAIL_NOT_VERIFIED');

  const data = JSON.stringify({ userId: body.userId, language: 'de-AT' });
  const queued = await db.selectFrom('mails').select(['name', 'data']).execute();
  expect(queued, 'the second a minute later').toEqual([
    { name: 'verification', data },
    { name: 'verification', data },
  ]);
});

test('every mail of every flow is in the language that its request asks for, notices too', async () => {
  const { service, flows } = await startWithFlows();
  const send = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const body = typeof init?.body === 'string' && init.body.startsWith('{') && init.body;
    const inGerman = body && JSON.stringify({ ...JSON.parse(body), emailLang: 'de' });
    return send(input, inGerman ? { ...init, body: inGerman } : init);
  });
  // A redirect from a provider has no body.
  const byBody = flows.filter(({ route }) => !route.startsWith('GET /oauth'));
  for (const flow of byBody) await (await atLastStep(service, flow)).send();
  const mails = await service.mails();
  const others = mails.filter(({ html }) => !html.includes('<html lang="de">'));
  expect(new Set(mails.map(({ name }) => name)).size).toBeGreaterThan(8);
  expect(others.map(({ name, subject }) => [name, subject])).toEqual([]);
});
