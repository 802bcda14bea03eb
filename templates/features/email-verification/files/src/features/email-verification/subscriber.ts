import type { Subscriber } from '../../events/bus.js';
import type { Services } from '../../services.js';
import { mailVerification, verificationMode } from './verification.js';

/** Mails the link to whoever has just opened an account, unless the mode is `none`. */
export function emailVerificationSubscriber(services: Services): Subscriber {
  return async ({ event, metadata }) => {
    if (event !== 'identity.user.created' || !metadata.userId) return;
    if ((await verificationMode(services)) === 'none') return;
    const user = await services.users.findById(metadata.userId);
    if (user && user.emailVerifiedAt === null) mailVerification(services, user);
  };
}
