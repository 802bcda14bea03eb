import { refuse } from '../../http/errors.js';
import type { RequestInfo } from '../../http/request.js';
import { defaultRole } from '../../policy.js';
import type { Services } from '../../services.js';
import type { RegistrationCallback } from './decision.js';
import { prepareCredential, type RegistrationInput } from './new-account.js';

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
  const addCredential = await prepareCredential(services, input);
  const decision = await callback(input);
  if ('rejection' in decision) {
    throw refuse('REGISTRATION_REJECTED', { message: decision.rejection });
  }
  return services.transaction(async (tx) => {
    const { users, userRoles, events } = tx;
    const { email, language } = input;
    const user = await users.create({
      email,
      loginProvider: 'local',
      metadata: decision.metadata,
    });
    if (!user) throw refuse('USER_EXISTS');
    await addCredential(tx, user.id);
    await userRoles.assign(user.id, defaultRole);
    events.publish(
      'identity.user.created',
      { email, loginProvider: 'local' },
      { userId: user.id, request, language },
    );
    return user.id;
  });
}
