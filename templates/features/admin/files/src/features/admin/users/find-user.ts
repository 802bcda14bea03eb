import { refuse } from '../../../http/errors.js';
import type { Services } from '../../../services.js';
import type { User } from '../../../users/user.js';

/** The user whom the path names. Throws NOT_FOUND. */
export async function findUser(services: Services, params: Record<string, string>): Promise<User> {
  const user = await services.users.findById(params.id ?? '');
  if (!user) throw refuse('NOT_FOUND');
  return user;
}
