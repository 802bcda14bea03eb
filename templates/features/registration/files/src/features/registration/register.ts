import { refuse } from '../../http/errors.js';
import type { RequestFacts } from '../../http/request.js';
import { defaultRole } from '../../policy.js';
import { inTransaction, type Services } from '../../services.js';
import { hashPassword } from '../password/hash.js';
import { requireAcceptable } from '../password/new-password.js';
import type { RegistrationCallback, RegistrationInput } from './callback.js';

/**
 * Creates an account if the policy accepts it; returns the user's id. Only the metadata that the
 * callback names reaches the account, so no field of the body can make an administrator.
 * Throws VALIDATION_FAILED, REGISTRATION_REJECTED, USER_EXISTS.
 */
export async function register(
  services: Services,
  request: RequestFacts,
  callback: RegistrationCallback,
  input: RegistrationInput,
): Promise<string> {
  await requireAcceptable(input.password, 'password');
  const decision = await callback(input);
  if ('rejection' in decision) {
    throw refuse('REGISTRATION_REJECTED', { message: decision.rejection });
  }
  const hash = await hashPassword(input.password, services.config.BCRYPT_COST);
  return inTransaction(services, async ({ users, password, userRoles, events }) => {
    const { email } = input;
    const user = await users.create({
      email,
      loginProvider: 'local',
      metadata: decision.metadata,
    });
    if (!user) throw refuse('USER_EXISTS');
    await password.save(user.id, hash);
    await userRoles.assign(user.id, defaultRole);
    events.publish(
      'identity.user.created',
      { email, loginProvider: 'local' },
      { userId: user.id, request },
    );
    return user.id;
  });
}
