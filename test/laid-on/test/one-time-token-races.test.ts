import { expect, test } from 'vitest';
import { startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';

const HOUR = 60 * 60 * 1000;

async function startWithUser() {
  const service = await startTestService();
  const { user } = await signInAs(service);
  return { service, user, tokens: service.services.oneTimeTokens };
}

test('of twenty parallel uses at two instances exactly one wins', async () => {
  const { service, user, tokens } = await startWithUser();
  const other = await startTestService({ DATABASE_URL: service.config.DATABASE_URL });
  const token = await tokens.issue('reset', user.id, HOUR);
  const uses = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? tokens : other.services.oneTimeTokens).consume('reset', token),
    ),
  );
  expect(uses.filter((use) => use !== undefined)).toHaveLength(1);
});

test('of twenty parallel uses of a link exactly one wins, and the link stays known', async () => {
  const { service, user, tokens } = await startWithUser();
  const token = await tokens.issue('verify', user.id, HOUR);
  const uses = await Promise.all(
    Array.from({ length: 20 }, () =>
      service.services.transaction(async ({ oneTimeTokens }) => {
        const use = await oneTimeTokens.consume('verify', token);
        if (use) await oneTimeTokens.issue('verified', user.id, HOUR, use.payload, token);
        return use;
      }),
    ),
  );
  expect(uses.filter((use) => use !== undefined)).toHaveLength(1);
  expect(await tokens.find('verified', token)).toMatchObject({ userId: user.id, payload: '' });
});

test('twenty tokens made at the same time leave one that is good', async () => {
  const { user, tokens } = await startWithUser();
  const made = await Promise.all(
    Array.from({ length: 20 }, () => tokens.issue('reset', user.id, HOUR)),
  );
  const uses: unknown[] = [];
  for (const token of made) uses.push(await tokens.consume('reset', token));
  expect(uses.filter((use) => use !== undefined)).toHaveLength(1);
});

test('a token ends with its lifetime', async () => {
  const { service, user, tokens } = await startWithUser();
  service.stopClock();
  const [early, late] = [
    await tokens.issue('early', user.id, HOUR),
    await tokens.issue('late', user.id, HOUR),
  ];
  service.stopClock(HOUR - 1);
  expect(await tokens.consume('early', early)).toBeDefined();
  service.stopClock(1);
  expect(await tokens.consume('late', late)).toBeUndefined();
});
