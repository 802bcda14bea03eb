import { refuse } from '../../http/errors.js';
import type { RequestInfo } from '../../http/request.js';
import type { Call, Result } from '../../http/route.js';
import type { Services } from '../../services.js';
import type { Caller } from '../../session/authenticate.js';
import { proveEmail, requireLiveSession } from '../../session/credentials.js';
import { deviceCookie, nameOf } from '../../session/device.js';
import { endSessionsOfUser } from '../../session/end-session.js';
import { requireReauthentication, strongFactorsOf } from '../../session/reauthentication.js';
import type { User } from '../../users/user.js';
import { KIND } from './mails.js';
import { hashPassword, passwordField, requirePasswordPolicy, verifyPassword } from './password.js';

/**
 * Changes the caller's password and ends the other sessions. An account without one sets its first
 * password with an empty `currentPassword`, if the sign-in is fresh.
 * Throws VALIDATION_FAILED, INVALID_CURRENT_PASSWORD, REAUTHENTICATION_REQUIRED.
 */
export async function changePassword(
  call: Call<{ currentPassword: string; newPassword: string }, Caller>,
): Promise<undefined> {
  const { body, caller, request, services } = call;
  const { user, sessionId } = caller;
  let oldHash: string | undefined;
  if (await services.password.findHash(user.id)) {
    oldHash = await requirePassword(services, user.id, body.currentPassword);
  } else {
    await requireReauthentication(services, caller, 'fresh', body);
  }
  await requirePasswordPolicy(body.newPassword, 'newPassword', { services, email: user.email });
  const hash = await hashPassword(body.newPassword, services.config.BCRYPT_COST);
  const isSaved = await services.transaction(async (tx) => {
    await requireLiveSession(tx, caller);
    // Against a parallel change: the proof was for exactly this hash.
    if (!(await tx.password.replace(user.id, oldHash, hash))) return false;
    await tx.oneTimeTokens.revoke(KIND, user.id);
    await endSessionsOfUser(tx, { request }, user.id, 'password-changed', sessionId);
    await notifyOfChange(tx, request, user, 'change');
    return true;
  });
  // A sign-in may only have rehashed the password: then the same one proves it again.
  return isSaved ? undefined : changePassword(call);
}

/**
 * The hash that the user's password was verified with. Guesses by whoever holds a session are
 * limited like those at login. Throws INVALID_CURRENT_PASSWORD, RATE_LIMITED.
 */
export async function requirePassword(
  { config, limiter, password }: Services,
  userId: string,
  value: string,
): Promise<string> {
  await limiter.consume([['passwordProofOfAccount', userId]]);
  const hash = await password.findHash(userId);
  const isWellFormed = passwordField.safeParse(value).success;
  if (!hash || !isWellFormed) throw refuse('INVALID_CURRENT_PASSWORD');
  const isRight = await verifyPassword(value, hash, config.BCRYPT_COST).catch(async (error) => {
    // Nothing was compared: a busy service must not lock anybody out.
    await limiter.giveBack('passwordProofOfAccount', userId);
    throw error;
  });
  if (!isRight) throw refuse('INVALID_CURRENT_PASSWORD');
  await limiter.reset('passwordProofOfAccount', userId);
  return hash;
}

/**
 * Sets a new password by a mailed token, which proves the address, and ends all sessions: whoever
 * knew the old password is signed out.
 * Throws INVALID_RESET_TOKEN if the token is unknown, used or expired, VALIDATION_FAILED if the
 * policy refuses the password: then the token stays valid.
 */
export async function resetPassword({
  body: { token, newPassword },
  request,
  services,
}: Call<{ token: string; newPassword: string }>): Promise<Result | undefined> {
  // A made-up token must not occupy the hashing queue that sign-ins wait for, nor the services that the policy calls.
  const found = await services.oneTimeTokens.find(KIND, token);
  if (!found) throw refuse('INVALID_RESET_TOKEN');
  await requirePasswordPolicy(newPassword, 'newPassword', { services, email: found.payload });
  // Hashed beforehand: a transaction must not wait for bcrypt.
  const hash = await hashPassword(newPassword, services.config.BCRYPT_COST);
  const owner = await services.transaction(async (tx) => {
    const consumed = await tx.oneTimeTokens.consume(KIND, token);
    const user = consumed && (await tx.users.lock(consumed.userId));
    // A link mailed to an address that the account no longer has proves nothing.
    if (!user || user.email !== consumed?.payload) throw refuse('INVALID_RESET_TOKEN');
    await tx.password.remove(user.id);
    await proveEmail(tx, request, user);
    await tx.password.save(user.id, hash);
    await endSessionsOfUser(tx, { request }, user.id, 'password-reset');
    await notifyOfChange(tx, request, user, 'reset');
    return user;
  });
  const account = await services.users.findAccount(owner.id);
  const strong = account ? await strongFactorsOf(services, account) : [];
  // A browser gets a device cookie instead, so nobody sees that an account's count was reset. Not before a strong factor:
  // whoever has only the mailbox could use up the second steps of the owner's browsers.
  if (!request.wantsBearer && strong.length === 0) {
    return { body: { success: true }, cookies: [deviceCookie(services, request, owner.id)] };
  }
  await services.limiter.reset('loginOfAccount', nameOf(owner));
  return undefined;
}

async function notifyOfChange(
  { config, events, mails }: Services,
  request: RequestInfo,
  { id: userId, email }: User,
  method: 'change' | 'reset',
): Promise<void> {
  events.publish('identity.user.password.changed', { method }, { userId, request });
  const url = `${config.APP_URL}/forgot-password`;
  await mails.add('passwordChanged', { email, language: request.language, url });
}
