import { expect, test } from 'vitest';
import { nativeClient } from '../client.js';
import { ADA } from '../policy.js';
import { startTestService } from '../service.js';

test('F-27 kratos and allauth, invisible Unicode class refused: one address is one account, however it is written', async () => {
  const service = await startTestService();
  const client = nativeClient(service);
  expect((await client.post('/register', ADA)).status).toBe(201);
  for (const email of [
    'ADA@EXAMPLE.COM',
    'ＡＤＡ@example.com',
    'ada@ｅxample.com',
    ...[...'\u200b\u200d\u2060\ufeff\u202e\u2066\ufe0f\u00ad\u{e0061}'].flatMap((invisible) => [
      `a${invisible}da@example.com`,
      `ada@exam${invisible}ple.com`,
      `ada@example.com${invisible}`,
    ]),
  ]) {
    const { status } = await client.post('/register', { ...ADA, email });
    expect([email, [400, 409].includes(status)]).toEqual([email, true]);
  }
  expect(await service.services.users.list({ limit: 9, offset: 0 })).toHaveLength(1);
});
