import { createHash } from 'node:crypto';
import type { Db } from '../../db/schema.js';
import type { Subscriber } from '../../events/bus.js';
import { defineFeature } from '../../feature.js';
import type { Services } from '../../services.js';
import { newDeviceMail } from './mails.js';
import { deviceNoticeStore } from './store.js';

/** Tells the owner of a sign-in from a device that is not known (ASVS 6.3.5); the first one is no news. */
function deviceNoticeSubscriber(services: Services): Subscriber {
  return async ({ event, data, metadata }) => {
    if (event !== 'identity.session.created' || !metadata.userId) return;
    const device = data.userAgent ?? 'unknown';
    const hash = createHash('sha256').update(device).digest('hex');
    if ((await services.deviceNotice.remember(metadata.userId, hash)) !== 'new') return;
    const user = await services.users.findById(metadata.userId);
    if (!user) return;
    await services.mailer.send(newDeviceMail(user.email, device, data.ipAddress ?? 'unknown'));
  };
}

export const deviceNotice = defineFeature({
  sendsMail: true,
  subscriber: deviceNoticeSubscriber,
  stores: (db: Db) => ({ deviceNotice: deviceNoticeStore(db) }),
});
