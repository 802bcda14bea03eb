import { expect, test } from 'vitest';
import { nativeClient } from '../../test/client.js';
import { startSignedIn } from '../../test/sign-in-as.js';

test('an event has its type, time, user and request', async () => {
  const { service, refreshToken, user, sessionId } = await startSignedIn();
  const before = Date.now();
  const { headers } = await nativeClient(service).post('/refresh', { refreshToken });
  const event = (await service.events()).at(-1);
  expect(event).toEqual({
    event: 'identity.session.rotated',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    data: { sessionId },
    metadata: { userId: user.id, correlationId: headers.get('x-request-id') },
    origin: { actor: user.id, ip: '127.0.0.1', userAgent: expect.any(String) },
  });
  expect(Date.parse(event?.timestamp ?? '')).toBeGreaterThanOrEqual(before);
});

test('a subscriber that throws fails neither the request nor another subscriber', async () => {
  const heard: string[] = [];
  const subscribers = [
    () => {
      throw new Error('thrown at once');
    },
    async () => {
      throw new Error('thrown later');
    },
    ({ event }: { event: string }) => void heard.push(event),
  ];
  const { service, client, refreshToken } = await startSignedIn({}, {}, { subscribers });
  expect((await client.post('/refresh', { refreshToken })).status).toBe(200);
  expect((await client.get('/me')).status).toBe(200);
  await service.events();
  expect(heard).toContain('identity.session.rotated');
});

test('a transaction that is rolled back has announced nothing', async () => {
  const { service, user, sessionId } = await startSignedIn();
  const before = (await service.events()).length;
  const work = service.services.transaction(async ({ events, sessions }) => {
    await sessions.revoke(sessionId, user.id);
    events.publish('identity.session.revoked', { sessionId, reason: 'revoked' }, {});
    throw new Error('too late');
  });
  await expect(work).rejects.toThrow('too late');
  expect(await service.events()).toHaveLength(before);
  expect(await service.services.sessions.find(sessionId)).toBeDefined();
});
