import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nativeClient } from './client.js';
import { startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';

const WINDOW = 10_000;

/** What a client, or a thief, may do; `which` picks one of the tokens issued so far. */
const step = fc.oneof(
  fc.record({ do: fc.constant('refresh' as const), which: fc.nat(5) }),
  fc.record({ do: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 15 }) }),
);

test('after any sequence of acts: one live token, or an ended session', async () => {
  const service = await startTestService({ REFRESH_REUSE_WINDOW: '10s' });
  const client = nativeClient(service);
  service.stopClock();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const tokens = [(await signInAs(service)).refreshToken];
      const firstUse = new Map<string, number>();
      let time = 0;
      let isEnded = false;
      for (const each of steps) {
        if (each.do === 'wait') {
          service.stopClock(each.seconds * 1000);
          time += each.seconds * 1000;
          continue;
        }
        const live = tokens.at(-1);
        const token = tokens[Math.max(0, tokens.length - 1 - each.which)] ?? '';
        const age = time - (firstUse.get(token) ?? time);
        const isTaken = !isEnded && (token === live || age < WINDOW);
        const { status, body } = await client.post('/refresh', { refreshToken: token });
        if (!isTaken) {
          isEnded = true;
          expect([status, body.code]).toEqual([401, 'SESSION_REVOKED']);
          continue;
        }
        expect(status).toBe(200);
        if (token === live) {
          firstUse.set(token, time);
          tokens.push(body.refreshToken);
        }
        expect(body.refreshToken, 'never a second branch').toBe(tokens.at(-1));
      }
    }),
    { numRuns: 30 },
  );
});
