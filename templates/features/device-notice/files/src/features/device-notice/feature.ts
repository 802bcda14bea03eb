import { createHash } from 'node:crypto';
import type { Db } from '../../db/schema.js';
import type { EventRecorder } from '../../events/bus.js';
import { defineFeature } from '../../feature.js';
import { deviceOf } from '../device-name/device-name.js';
import { newDevice } from './mails.js';
import { deviceNoticeStore } from './store.js';

/** Notifies the owner of a sign-in from an unknown device (ASVS 6.3.5), except for the account's first. */
const recorder: EventRecorder = {
  awaits: async (_services, event) => event === 'identity.session.created',
  async record(tx, events) {
    for (const { event, data, metadata, origin } of events) {
      if (event !== 'identity.session.created' || !metadata.userId) continue;
      const { userId } = metadata;
      const { ipAddress, userAgent } = data;
      const hash = createHash('sha256')
        .update(userAgent ?? 'unknown')
        .digest('hex');
      const seen = await tx.deviceNotice.remember(userId, hash);
      if (seen !== 'new' || origin.isKnownDevice) continue;
      const device = deviceOf(userAgent);
      await tx.mails.add('newDevice', { userId, device, ipAddress: ipAddress ?? 'unknown' });
    }
  },
};

export const deviceNotice = defineFeature({
  mails: { newDevice },
  recorder,
  stores: (db: Db) => ({ deviceNotice: deviceNoticeStore(db) }),
});
