import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startTestService, type TestService } from './service.js';
import { signInAs } from './sign-in-as.js';

const MINUTE = 60_000;
const LIFETIME = 10 * MINUTE;

interface Made {
  token: string;
  kind: string;
  userId: string;
  expiresAt: number;
}

/** A service, and the expected state of its tokens. */
interface World {
  service: TestService;
  users: string[];
  /** Every token ever generated. */
  made: Made[];
  /** Those that were neither used nor voided. */
  live: Made[];
  /** ms waited so far. Whole minutes, so that the few milliseconds in between decide nothing. */
  time: number;
}

const kind = fc.constantFrom('reset', 'link');
const whose = fc.nat(1);
const which = fc.nat(6);

/** The actions of the service, its users and thieves. */
const step = fc.oneof(
  fc.record({ kind, whose }).map((of) => (world: World) => issue(world, of)),
  fc.record({ kind, whose }).map((of) => (world: World) => revoke(world, of)),
  fc.record({ kind, which }).map((of) => (world: World) => tryToken(world, 'consume', of)),
  fc.record({ kind, which }).map((of) => (world: World) => tryToken(world, 'find', of)),
  fc.integer({ min: 1, max: 11 }).map((minutes) => async (world: World) => {
    world.service.advance(minutes * MINUTE);
    world.time += minutes * MINUTE;
  }),
);

test('after any sequence of acts: a token works once, for its kind, in its time, unless a newer one was made', async () => {
  const service = await startTestService();
  const run = fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
    const users = [(await signInAs(service)).user.id, (await signInAs(service)).user.id];
    const world: World = { service, users, made: [], live: [], time: 0 };
    for (const act of steps) await act(world);
  });
  await fc.assert(run, { numRuns: 40 });
});

async function issue(world: World, of: { kind: string; whose: number }): Promise<void> {
  const userId = world.users[of.whose] ?? '';
  const { oneTimeTokens } = world.service.services;
  const token = await oneTimeTokens.issue(of.kind, userId, LIFETIME);
  const one = { token, kind: of.kind, userId, expiresAt: world.time + LIFETIME };
  world.made.push(one);
  world.live = [...world.live.filter((old) => old.kind !== of.kind || old.userId !== userId), one];
}

async function revoke(world: World, of: { kind: string; whose: number }): Promise<void> {
  const userId = world.users[of.whose] ?? '';
  await world.service.services.oneTimeTokens.revoke(of.kind, userId);
  world.live = world.live.filter((old) => old.kind !== of.kind || old.userId !== userId);
}

async function tryToken(
  world: World,
  how: 'consume' | 'find',
  of: { kind: string; which: number },
): Promise<void> {
  const tried = world.made[of.which % Math.max(1, world.made.length)];
  const found = await world.service.services.oneTimeTokens[how](of.kind, tried?.token ?? 'made up');
  const good = world.live.find((one) => one === tried && one.kind === of.kind);
  const isGood = good !== undefined && world.time < good.expiresAt;
  expect(found?.userId).toBe(isGood ? good.userId : undefined);
  if (isGood && how === 'consume') world.live = world.live.filter((one) => one !== good);
}
