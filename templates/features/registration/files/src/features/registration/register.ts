import { refuse } from '../../http/errors.js';
import type { RequestInfo } from '../../http/request.js';
import { defaultRole } from '../../policy.js';
import type { Services } from '../../services.js';
import { hashPassword, requireAcceptable } from '../password/password.js';
import type { RegistrationCallback, RegistrationInput } from './decision.js';

/**
 * Creates an account if the policy accepts it; returns the user's id. Only the metadata that the
 * callback names reaches the account, so no field of the body can make an administrator.
 * Throws VALIDATION_FAILED, REGISTRATION_REJECTED, USER_EXISTS.
 */
export async function register(
  services: Services,
  request: RequestInfo,
  callback: RegistrationCallback,
  input: RegistrationInput,
): Promise<string> {
  await requireAcceptable(input.password, 'password');
  const decision = await callback(input);
  if ('rejection' in decision) {
    throw refuse('REGISTRATION_REJECTED', { message: decision.rejection });
  }
  const hash = await hashPassword(input.password, services.config.BCRYPT_COST);
  return services.transaction(async ({ users, password, userRoles, events }) => {
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
