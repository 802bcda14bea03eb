import { setTimeout as wait } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { disableUser } from '../src/session/end-session.js';
import { nativeClient } from './client.js';
import { createPasswordAccount } from './flows/password.js';
import { closedGate } from './gate.js';
import { startTestService, type TestService } from './service.js';
import { type SignedIn, signInAs } from './sign-in-as.js';

/** For each way to end a session. Half of them are held, the others race. */
const ROUNDS = 12;
const PASSWORD = 'correct horse battery staple';

interface Round {
  service: TestService;
  /** The user whose sessions end. */
  person: SignedIn;
  /** Another session of theirs, which ends them. */
  other: SignedIn;
}

/** Ways to end a session, by its owner or an administrator. */
const ends: Record<string, (round: Round) => Promise<{ status: number } | undefined>> = {
  'a logout with a refresh token that was rotated out': ({ service, person }) =>
    nativeClient(service).post('/logout', { refreshToken: person.refreshToken }),
  'a change of the password': ({ other }) =>
    other.client.post('/change-password', { currentPassword: PASSWORD, newPassword: PASSWORD }),
  'the account being disabled': async ({ service, person }) => {
    await disableUser(service.services, person.user.id, {});
    return undefined;
  },
};

/** Holds the next `count` refreshes once they have read the session; later ones pass. */
function holdAfterReading(both: TestService[], count: number) {
  const [allHaveRead, released] = [closedGate(), closedGate()];
  let read = 0;
  const spies = both.map(({ services: { sessions } }) => {
    const find = sessions.findWithAccount;
    return vi.spyOn(sessions, 'findWithAccount').mockImplementation(async (id) => {
      const found = await find(id);
      read += 1;
      if (read === count) allHaveRead.open();
      if (read <= count) await released.opened;
      return found;
    });
  });
  return {
    allHaveRead: allHaveRead.opened,
    release() {
      for (const spy of spies) spy.mockRestore();
      released.open();
    },
  };
}

test.each(Object.entries(ends))(
  'F-25 again and again a refresh at the very moment of %s: no token lives, neither the latest nor one that was rotated out',
  async (_how, end) => {
    const service = await startTestService();
    const second = await startTestService(service.environment);
    const refresh = async (at: TestService, refreshToken: string) =>
      (await nativeClient(at).post('/refresh', { refreshToken })).body;
    const live: string[] = [];
    let won = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const account = await createPasswordAccount(service, { password: PASSWORD });
      const person = await signInAs(service, account);
      const other = await signInAs(service, account);
      // Rotated out, and within their window.
      const again = await refresh(service, person.refreshToken);
      const third = await refresh(service, String(again.refreshToken));
      const given = [person, again, third];

      // Every second time all refreshes have read the session before it ends.
      const isHeld = round % 2 === 0;
      const hold = isHeld ? holdAfterReading([service, second], given.length * 2) : undefined;
      const racing = given.flatMap(({ refreshToken }) =>
        [service, second].map((at) => refresh(at, String(refreshToken))),
      );
      await (hold?.allHaveRead ?? wait(round % 8));
      const ended = await end({ service, person, other });
      hold?.release();
      const answers = await Promise.all(racing);

      expect(ended?.status ?? 200).toBe(200);
      won += answers.filter(({ success }) => success).length;
      for (const [nth, { accessToken, refreshToken }] of [...given, ...answers].entries()) {
        const at = nth % 2 === 0 ? service : second;
        if (accessToken && (await nativeClient(at, accessToken).get('/me')).status === 200) {
          live.push(`round ${round}: an access token`);
        }
        if (refreshToken && (await refresh(at, refreshToken)).success) {
          live.push(`round ${round}: a refresh token`);
        }
      }
    }
    expect(live).toEqual([]);
    // Otherwise there was no race.
    expect(won).toBeGreaterThan(0);
  },
  240_000,
);
