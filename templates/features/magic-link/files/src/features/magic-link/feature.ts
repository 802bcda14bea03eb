import { defineFeature } from '../../feature.js';
import type { Route } from '../../http/route.js';
import type { Credential } from '../../session/credentials.js';
import { LOGIN_KIND, magicLinkMail } from './mails.js';
import { signInRoutes } from './routes.js';

/** Every account has an address, and whoever reads its mail can ask for a link. */
const credential: Credential = {
  opensAccount: async () => true,
  forget: ({ oneTimeTokens }, userId) => oneTimeTokens.revoke(LOGIN_KIND, userId),
};

export const magicLink = defineFeature({
  mails: { magicLink: magicLinkMail },
  errors: {
    INVALID_MAGIC_LINK: [400, 'This link is no longer valid.'],
  },
  credential,
  uiFeatures: () => ({ magicLink: true }),
  routes: (): Route[] => signInRoutes,
});
