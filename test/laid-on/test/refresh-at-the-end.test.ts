import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { disableUser } from '../src/session/end-session.js';
import { nativeClient } from './client.js';
import { createPasswordAccount } from './flows/password.js';
import { startTestService, type TestService } from './service.js';
import { type SignedIn, signInAs } from './sign-in-as.js';

const ROUNDS = 100;
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

test.each(Object.entries(ends))(
  'F-25 a hundred times a refresh at the very moment of %s: no token lives, neither the latest nor one that was rotated out',
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

      const racing = given.flatMap(({ refreshToken }) =>
        [service, second].map((at) => refresh(at, String(refreshToken))),
      );
      const [ended, ...answers] = await Promise.all([
        // Sometimes before the refreshes, sometimes among them, sometimes after.
        wait(round % 8).then(() => end({ service, person, other })),
        ...racing,
      ]);

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
