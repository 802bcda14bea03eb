import fc from 'fast-check';
import { expect, test } from 'vitest';
import { enrolTotp } from '../../../test/authenticator.js';
import { nativeClient } from '../../../test/client.js';
import { passFirstFactor } from '../../../test/first-factor.js';
import { startTestService, type TestService } from '../../../test/service.js';
import { type SignedIn, signInAs } from '../../../test/sign-in-as.js';

const MINUTE = 60_000;
const LIFETIME = 5 * MINUTE;
const ATTEMPTS = 5;

interface Challenge {
  tempToken: string;
  opened: number;
  attempts: number;
  isUsed: boolean;
}

/** A service, somebody with an app, and what of their sign-ins must be true. */
interface World {
  service: TestService;
  ada: SignedIn;
  challenges: Challenge[];
  /** ms waited so far. Whole minutes, so that the few milliseconds in between decide nothing. */
  time: number;
  usedCodes: Set<string>;
  recoveryCodes: string[];
}

const which = fc.nat(3);

/** What the user and a thief do; the code of number 5 is made up. */
const step = fc.oneof(
  fc.constant(open),
  fc
    .record({ which, code: fc.nat(5) })
    .map((of) => (world: World) => answer(world, of.which, of.code)),
  which.map((at) => (world: World) => answer(world, at, 5)),
  fc.integer({ min: 1, max: 6 }).map((minutes) => async (world: World) => {
    world.service.advance(minutes * MINUTE);
    world.time += minutes * MINUTE;
  }),
);

test('whatever is done in whatever order: five guesses a challenge, one session, and each code once', async () => {
  const service = await startTestService();
  const run = fc.asyncProperty(fc.array(step, { maxLength: 16 }), async (steps) => {
    const ada = await signInAs(service);
    const recoveryCodes = (await enrolTotp(ada)).recoveryCodes.slice(0, 5);
    const usedCodes = new Set<string>();
    const world: World = { service, ada, challenges: [], time: 0, usedCodes, recoveryCodes };
    for (const act of steps) await act(world);
  });
  await fc.assert(run, { numRuns: 30 });
});

async function open({ service, ada, challenges, time }: World): Promise<void> {
  const { tempToken = '' } = await passFirstFactor(service, ada.user.id);
  challenges.push({ tempToken, opened: time, attempts: 0, isUsed: false });
}

async function answer(world: World, at: number, code: number): Promise<void> {
  const challenge = world.challenges[at];
  if (!challenge) return;
  const { tempToken } = challenge;
  const totpCode = world.recoveryCodes[code] ?? 'XXXX-XXXX';
  const sent = await nativeClient(world.service).post('/2fa/verify', { tempToken, totpCode });
  const isRight = world.recoveryCodes.includes(totpCode) && !world.usedCodes.has(totpCode);
  const expected = isOpen(challenge, world.time) ? outcome(isRight) : 'INVALID_TEMP_TOKEN';
  expect(sent.body.code ?? 'signed in').toBe(expected);
  challenge.attempts += 1;
  if (expected !== 'signed in') return;
  challenge.isUsed = true;
  world.usedCodes.add(totpCode);
}

function isOpen({ attempts, isUsed, opened }: Challenge, time: number): boolean {
  return !isUsed && attempts < ATTEMPTS && time < opened + LIFETIME;
}

function outcome(isRight: boolean): string {
  return isRight ? 'signed in' : 'INVALID_TOTP_CODE';
}
