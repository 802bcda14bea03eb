import { refuse } from '../../http/errors.js';
import type { Call } from '../../http/route.js';
import { inTransaction } from '../../services.js';
import type { Caller } from '../../session/caller.js';
import { endSessionsOfUser } from '../../session/end-session.js';
import { isFresh } from '../../session/freshness.js';
import { hashPassword, verifyPassword } from './hash.js';
import { tellOfChange } from './reset.js';

type ChangeCall = Call<{ currentPassword: string; newPassword: string }, Caller>;

/**
 * Changes the caller's password and ends the other sessions. An account that has none sets its
 * first one with an empty `currentPassword`, if the sign-in is fresh.
 * Throws INVALID_CURRENT_PASSWORD, REAUTHENTICATION_REQUIRED.
 */
export async function changePassword(call: ChangeCall): Promise<void> {
  const { body, caller, request, services } = call;
  const { user, sessionId } = caller;
  const oldHash = await requireProof(call);
  const hash = await hashPassword(body.newPassword, services.config.BCRYPT_COST);
  await inTransaction(services, async (inside) => {
    // Against a parallel change: the proof was given for this very hash.
    const isSaved = oldHash
      ? await inside.password.replace(user.id, oldHash, hash)
      : await inside.password.add(user.id, hash);
    if (!isSaved) throw refuse('INVALID_CURRENT_PASSWORD');
    await inside.oneTimeTokens.revoke('password-reset', user.id);
    await endSessionsOfUser(inside, { request }, user.id, 'password-changed', sessionId);
    inside.events.publish(
      'identity.user.password.changed',
      { method: 'change' },
      { userId: user.id, request },
    );
  });
  tellOfChange(services, user.email);
}

/** The hash that the caller has proved to know; undefined for an account without one. */
async function requireProof({ body, caller, services }: ChangeCall): Promise<string | undefined> {
  const { config, limiter } = services;
  const hash = await services.password.findHash(caller.user.id);
  if (!hash) {
    if (!(await isFresh(services, caller))) throw refuse('REAUTHENTICATION_REQUIRED');
    if (body.currentPassword !== '') throw refuse('INVALID_CURRENT_PASSWORD');
    return undefined;
  }
  if (!(await verifyPassword(body.currentPassword, hash, config.BCRYPT_COST))) {
    throw refuse('INVALID_CURRENT_PASSWORD');
  }
  await limiter.reset('passwordProofOfAccount', caller.user.id);
  return hash;
}
