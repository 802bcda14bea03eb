import { refuse } from '../../http/errors.js';
import type { Call, Result } from '../../http/route.js';
import { knownDevice, nameOf } from '../../session/device.js';
import { finishLogin } from '../../session/finish-login.js';
import { hashPassword, needsRehash, SIGN_IN_TIMEOUT_MS, verifyPassword } from './password.js';

/** The method's name in sessions and events. */
export const METHOD = 'local';

/**
 * Signs in by email and password. An unknown address, an account without a password and a wrong
 * password get the same response in the same time: none reveals who has an account (ASVS 6.3.8).
 * Throws INVALID_CREDENTIALS.
 */
export async function logIn(call: Call<{ email: string; password: string }>): Promise<Result> {
  const { body, request, services } = call;
  const { config, limiter, password: passwords, users } = services;
  const user = await users.findByEmail(body.email);
  // Looked up for an unknown address too, which takes as long.
  const hash = await passwords.findHash(user?.id ?? '');
  const device = user && knownDevice(services, request, user.id);
  const counted = device ?? nameOf(body);
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
  if (device) await limiter.reset('loginOfAccount', device);
  else await limiter.giveBack('loginOfAccount', counted);
  let current: string | undefined = hash;
  try {
    const reply = await finishLogin(services, request, {
      userId: user.id,
      method: METHOD,
      // A reset that commits meanwhile ends all sessions, and the old password must not open another.
      async confirm(tx) {
        current = await tx.password.lockHash(user.id);
        if (current !== hash) throw refuse('INVALID_CREDENTIALS');
      },
    });
    if (needsRehash(hash, config.BCRYPT_COST)) {
      services.background.run('rehash', async () => {
        const stronger = await hashPassword(body.password, config.BCRYPT_COST);
        // Only the hash that was just verified: a password changed meanwhile must not come back.
        await passwords.replace(user.id, hash, stronger);
      });
    }
    return reply;
  } catch (error) {
    if (current === hash) throw error;
    // A parallel sign-in may only have rehashed the password. Not compared in the transaction: that would block others.
    await limiter.consume([['loginOfAccount', counted]]);
    return logIn(call);
  }
}
