import type { EventRecorder } from '../../../events/bus.js';
import { defineFeature } from '../../../feature.js';
import { ADDRESS } from '../linked-accounts.js';

/** The old address may have been added too: its mailbox must not open an account that has moved away from it. */
const recorder: EventRecorder = {
  async record(tx, { event, data, metadata: { userId }, origin: { actor } }) {
    if (event !== 'identity.user.email.changed' || !userId) return;
    const { oldEmail: providerAccountId } = data;
    if (!(await tx.accountLinking.remove(userId, ADDRESS, providerAccountId))) return;
    const unlinked = { provider: ADDRESS, providerAccountId };
    tx.events.publish('identity.user.unlinked', unlinked, { userId, actor });
  },
};

export const accountLinkingEmailChange = defineFeature({ recorder });
