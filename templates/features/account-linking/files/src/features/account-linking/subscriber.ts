import type { Subscriber } from '../../events/bus.js';
import type { Services } from '../../services.js';
import { linkedMail, unlinkedMail } from './mail.js';

/** Tells the owner of each way in that is added or removed (ASVS 6.3.7). */
export function accountLinkingSubscriber(services: Services): Subscriber {
  return async ({ event, data, metadata }) => {
    if (event !== 'identity.user.linked' && event !== 'identity.user.unlinked') return;
    const user = await services.users.findById(metadata.userId ?? '');
    if (!user) return;
    const compose = event === 'identity.user.linked' ? linkedMail : unlinkedMail;
    await services.mailer.send(compose(user.email, data.provider));
  };
}
