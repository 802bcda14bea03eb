import { expect, test } from 'vitest';
import { mountsOf } from '../../src/http/route.js';
import { disableUser } from '../../src/session/end-session.js';
import { browser, nativeClient } from '../client.js';
import { startTestService } from '../service.js';
import { signInAs } from '../sign-in-as.js';
import { atLastStep, isWayIn, outcomeOf, startWithFlows } from './flow.js';

test('F-01 every route that signs in is among the flows that are attacked here', async () => {
  const { service, flows } = await startWithFlows();
  const routes = mountsOf(service.services).flatMap((mount) => mount.routes);
  const signingIn = routes.filter(({ signsIn }) => signsIn !== undefined);
  const covered = flows.filter(({ method }) => method).map(({ route }) => route);
  expect(covered).toEqual(
    expect.arrayContaining(signingIn.map(({ method, path }) => `${method} ${path}`)),
  );
});

test('F-02 GHSA-qq9h-g4jm-xgf3 class refused: whoever creates an account with the address of another keeps no way into it', async () => {
  const { service, flows } = await startWithFlows();
  const planted = flows.filter(
    (flow) => isWayIn(flow) && flow.enrol && !flow.provesAddress && !flow.isBoundLate,
  );
  for (const proof of flows.filter(({ provesAddress }) => provesAddress)) {
    for (const flow of planted) {
      const pair = `${flow.route}, before ${proof.route}`;
      const attacker = await signInAs(service, { isEmailProven: false });
      await flow.enrol?.(service, attacker);
      const { send } = await flow.start(service, attacker, browser(service));
      const owner = await proof.start(service, attacker, browser(service));
      expect([pair, outcomeOf(await owner.send())]).not.toEqual([pair, 'refused']);
      const begun = await flow.start(service, attacker, browser(service)).catch(() => undefined);
      for (const attempt of [send, begun?.send]) {
        expect([pair, attempt && outcomeOf(await attempt())]).not.toEqual([pair, 'session']);
      }
      expect([pair, (await attacker.client.get('/me')).status]).toEqual([pair, 401]);
    }
  }
});

test('F-03 CVE-2026-18963 class refused: no step accepts a token or code of another flow', async () => {
  const { service, flows } = await startWithFlows();
  const accepted: string[] = [];
  for (const other of flows) {
    const { secret } = await atLastStep(service, other);
    for (const flow of flows.filter(({ route }) => secret && route !== other.route)) {
      const step = await atLastStep(service, flow);
      const isAccepted = step.secret && outcomeOf(await step.send(secret)) !== 'refused';
      if (isAccepted) accepted.push(`${other.route} at ${flow.route}`);
    }
  }
  expect(accepted).toEqual([]);
});

test('F-08 CVE-2026-1609, Supabase #2642, CVE-2025-64521 class refused: nothing lets a disabled user in, and nothing issued before lets them in once enabled', async () => {
  const { service, flows } = await startWithFlows();
  const { users } = service.services;
  for (const flow of flows) {
    const [used, kept] = [await atLastStep(service, flow), await atLastStep(service, flow)];
    for (const { person } of [used, kept]) await disableUser(service.services, person.user.id, {});
    expect([flow.route, outcomeOf(await used.send())]).toEqual([flow.route, 'refused']);
    for (const { person, send } of [used, kept]) {
      await users.setDisabled(person.user.id, null);
      if (!flow.isRepeatable && !flow.isBoundLate)
        expect([flow.route, outcomeOf(await send())]).toEqual([flow.route, 'refused']);
      const { refreshToken } = person;
      expect((await person.client.get('/me')).status).toBe(401);
      expect((await nativeClient(service).post('/refresh', { refreshToken })).status).toBe(401);
    }
  }
});

test('F-10 better-auth #9993 class refused: of fifty parallel uses at two instances, one takes effect', async () => {
  const { service, flows } = await startWithFlows();
  const other = await startTestService(service.environment);
  // The flows read their mails from the first instance: only that may send them.
  await other.services.workers.mail.stop();
  for (const flow of flows.filter(({ isRepeatable }) => !isRepeatable)) {
    const { send } = await atLastStep(service, flow);
    const { url } = service;
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, nth) => {
        service.url = nth % 2 === 0 ? url : other.url;
        return send();
      }),
    );
    service.url = url;
    const effects = answers.map(outcomeOf).filter((outcome) => outcome !== 'refused');
    expect([flow.route, effects.length]).toEqual([flow.route, 1]);
  }
});

test('F-26 CVE-2025-12390, CVE-2026-7507 class refused: the second person in a browser inherits nothing of the first', async () => {
  const { service, flows } = await startWithFlows();
  for (const flow of flows.filter(isWayIn)) {
    const client = browser(service);
    const first = await signInAs(service);
    await client.post('/refresh', { refreshToken: first.refreshToken });
    const before = new Map(client.cookies);
    const { person, send } = await atLastStep(service, flow, client);
    expect([flow.route, outcomeOf(await send())]).toEqual([flow.route, 'session']);
    for (const [name, value] of client.cookies) {
      if (/token$/i.test(name)) expect([flow.route, before.get(name)]).not.toContain(value);
    }
    expect((await client.get('/me')).body.sub).toBe(person.user.id);
    expect((await first.client.get('/me')).body.code).toBe('SESSION_REVOKED');
  }
});
