import { refuse } from '../../http/errors.js';
import type { RequestInfo } from '../../http/request.js';
import type { Call } from '../../http/route.js';
import type { Services } from '../../services.js';
import type { Caller } from '../../session/authenticate.js';
import { proveEmail, requireLiveSession } from '../../session/credentials.js';
import { endSessionsOfUser } from '../../session/end-session.js';
import { requireReauthentication } from '../../session/reauthentication.js';
import type { User } from '../../users/user.js';
import { KIND } from './mails.js';
import { hashPassword, passwordField, requireAcceptable, verifyPassword } from './password.js';

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
  const isSaved = await services.transaction(async (tx) => {
    await requireLiveSession(tx, caller);
    // Against a parallel change: the proof was given for this very hash.
    const isSaved = oldHash
      ? await tx.password.replace(user.id, oldHash, hash)
      : await tx.password.add(user.id, hash);
    if (!isSaved) return false;
    await tx.oneTimeTokens.revoke(KIND, user.id);
    await endSessionsOfUser(tx, { request }, user.id, 'password-changed', sessionId);
    await tellOfChange(tx, request, user, 'change');
    return true;
  });
  // A sign-in may only have made the hash anew: then the same password proves it again.
  if (!isSaved) return changePassword(call);
}

/** The hash that the caller has proved to know; undefined for an account without one. */
async function requireProof({ body, caller, services }: ChangeCall): Promise<string | undefined> {
  const { id } = caller.user;
  if (await services.password.findHash(id)) {
    return requirePassword(services, id, body.currentPassword);
  }
  await requireReauthentication(services, caller, 'fresh', body);
  if (body.currentPassword !== '') throw refuse('INVALID_CURRENT_PASSWORD');
  return undefined;
}

/**
 * The hash that the user's password was verified with. Guesses by whoever holds a session are limited as
 * those at login are. Throws INVALID_CURRENT_PASSWORD, RATE_LIMITED.
 */
export async function requirePassword(
  { config, limiter, password }: Services,
  userId: string,
  value: string,
): Promise<string> {
  await limiter.consume([['passwordProofOfAccount', userId]]);
  const hash = await password.findHash(userId);
  const isPossible = passwordField.safeParse(value).success;
  if (!hash || !isPossible || !(await verifyPassword(value, hash, config.BCRYPT_COST))) {
    throw refuse('INVALID_CURRENT_PASSWORD');
  }
  await limiter.reset('passwordProofOfAccount', userId);
  return hash;
}

/**
 * Sets a new password by a mailed token, which proves the address, and ends all sessions: whoever knew the old
 * password is out.
 * Throws INVALID_RESET_TOKEN if the token is unknown, used or expired, VALIDATION_FAILED if the policy refuses the
 * password: the token stays good.
 */
export async function resetPassword(
  services: Services,
  request: RequestInfo,
  token: string,
  newPassword: string,
): Promise<User> {
  // A made-up token must not occupy the hashing that sign-ins wait for, nor what the policy asks.
  const found = await services.oneTimeTokens.find(KIND, token);
  if (!found) throw refuse('INVALID_RESET_TOKEN');
  await requireAcceptable(newPassword, 'newPassword', { services, email: found.payload });
  // Hashed beforehand: a transaction must not wait for bcrypt.
  const hash = await hashPassword(newPassword, services.config.BCRYPT_COST);
  const owner = await services.transaction(async (tx) => {
    const consumed = await tx.oneTimeTokens.consume(KIND, token);
    const user = consumed && (await tx.users.findById(consumed.userId));
    // A link that was mailed to an address which the account has left proves nothing.
    if (!user || user.email !== consumed?.payload) throw refuse('INVALID_RESET_TOKEN');
    await tx.password.remove(user.id);
    await proveEmail(tx, request, user);
    await tx.password.save(user.id, hash);
    await endSessionsOfUser(tx, { request }, user.id, 'password-reset');
    await tellOfChange(tx, request, user, 'reset');
    return user;
  });
  // A browser gets the cookie of a known device instead, and nobody sees that an account's count began anew.
  if (request.wantsBearer) await services.limiter.reset('loginOfAccount', owner.email);
  return owner;
}

async function tellOfChange(
  { config, events, mails }: Services,
  request: RequestInfo,
  { id: userId, email }: User,
  method: 'change' | 'reset',
): Promise<void> {
  events.publish('identity.user.password.changed', { method }, { userId, request });
  await mails.add('passwordChanged', { email, url: `${config.APP_URL}/forgot-password` });
}
