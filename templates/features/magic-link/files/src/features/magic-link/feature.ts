import { defineFeature } from '../../feature.js';
import type { Route } from '../../http/route.js';
import type { Credential } from '../../session/credentials.js';
import { magicLinkMail } from './link.js';
import { signInRoutes } from './routes.js';

/** Only a proven address counts: before that, the mailbox may be somebody else's. */
const credential: Credential = {
  async opensAccount({ users }, userId) {
    return ((await users.findById(userId))?.emailProvenAt ?? null) !== null;
  },
};

export const magicLink = defineFeature({
  mails: { magicLink: magicLinkMail },
  errors: {
    INVALID_MAGIC_LINK: [400, 'This link is no longer valid.'],
  },
  limits: { magicLinkPerIp: { points: 20, seconds: 3600 } },
  credential,
  provesAddress: true,
  uiFeatures: () => ({ magicLink: true }),
  routes: (): Route[] => signInRoutes,
});
