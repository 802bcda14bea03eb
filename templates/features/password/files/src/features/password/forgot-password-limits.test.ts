import { expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { createPasswordAccount } from '../../../test/password-account.js';
import { startSingleInstance } from '../../../test/service.js';

const MINUTE = 60_000;

test('mail bombing: a minute between two mails, five an hour, for known and unknown alike', async () => {
  const service = await startSingleInstance({ RATE_LIMIT: 'on' });
  const { email } = await createPasswordAccount(service);
  const client = nativeClient(service);

  for (const address of [email, 'nobody@example.com']) {
    const ask = () => client.post('/forgot-password', { email: address });
    for (let mail = 1; mail <= 5; mail++) {
      expect((await ask()).status).toBe(200);
      const tooSoon = await ask();
      expect([tooSoon.status, tooSoon.body.code]).toEqual([429, 'RATE_LIMITED']);
      expect(Number(tooSoon.headers.get('retry-after'))).toBeLessThanOrEqual(60);
      service.advance(MINUTE + 1000);
    }
    const sixth = await ask();
    expect(sixth.status).toBe(429);
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(50 * 60);
    service.advance(55 * MINUTE);
    expect((await ask()).status).toBe(200);
    service.advance(60 * MINUTE);
  }
  expect((await service.mails()).map(({ to }) => to)).toEqual(Array(6).fill(email));
});
