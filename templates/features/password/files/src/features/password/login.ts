import { refuse } from '../../http/errors.js';
import type { Call, Result } from '../../http/route.js';
import { isKnownDevice, ofKnownDevices } from '../../session/device.js';
import { finishLogin } from '../../session/finish-login.js';
import { hashPassword, needsRehash, SIGN_IN_TIMEOUT_MS, verifyPassword } from './password.js';

/** The method's name in sessions and events. */
export const METHOD = 'local';

/**
 * Signs in by email and password. An unknown address, an account without a password and a wrong
 * password get the same response in the same time: none reveals who has an account (ASVS 6.3.8).
 * Throws INVALID_CREDENTIALS.
 */
export async function logIn({
  body,
  request,
  services,
}: Call<{ email: string; password: string; emailLang?: string | undefined }>): Promise<Result> {
  const { config, limiter, password: passwords, users } = services;
  const user = await users.findByEmail(body.email);
  // Looked up for an unknown address too, which takes as long.
  const hash = await passwords.findHash(user?.id ?? '');
  const isKnown = user !== undefined && isKnownDevice(services, request, user.id);
  const counted = isKnown ? ofKnownDevices(user.id) : body.email;
  const isRight = await verifyPassword(
    body.password,
    hash,
    config.BCRYPT_COST,
    SIGN_IN_TIMEOUT_MS,
  ).catch(async (error) => {
    // Nothing was compared: a busy service must not lock anybody out.
    await limiter.giveBack('loginOfAccount', counted);
    throw error;
  });
  if (!user || !hash || !isRight) {
    throw refuse('INVALID_CREDENTIALS', user && { attempt: { userId: user.id, isProven: false } });
  }
  // The count of the address must neither show strangers that its owner has signed in, nor give them new guesses.
  if (isKnown) await limiter.reset('loginOfAccount', counted);
  else await limiter.giveBack('loginOfAccount', counted);
  const userId = user.id;
  const reply = await finishLogin(services, request, {
    userId,
    method: METHOD,
    language: body.emailLang,
    // A reset that commits meanwhile ends all sessions: the old password must not open another. A
    // parallel sign-in may only have rehashed the password: then it is still right.
    async confirm(tx) {
      const current = await tx.password.lockHash(userId);
      if (current === hash) return;
      if (!(await verifyPassword(body.password, current, config.BCRYPT_COST))) {
        throw refuse('INVALID_CREDENTIALS');
      }
    },
  });
  if (needsRehash(hash, config.BCRYPT_COST)) {
    services.background.run('rehash', async () => {
      const stronger = await hashPassword(body.password, config.BCRYPT_COST);
      // Only the hash that was just verified: a password changed meanwhile must not come back.
      await passwords.replace(userId, hash, stronger);
    });
  }
  return reply;
}
