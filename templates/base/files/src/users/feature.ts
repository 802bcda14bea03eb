import type { Db } from '../db/schema.js';
import { defineFeature, event } from '../feature.js';
import { get, patch, type Route } from '../http/route.js';
import { userRoleStore } from './account.js';
import { oneTimeTokenStore } from './one-time-tokens.js';
import { changeProfile, Profile, ProfileChange, profileOf } from './profile.js';
import { userStore } from './user-store.js';

export const users = defineFeature({
  limits: {
    /** Attempts from one IP at mailed and texted secrets, temp tokens and their codes. */
    secretsPerIp: { points: 60, seconds: 60, scope: 'process' },
  },
  events: {
    'identity.user.created': event<{ email: string; loginProvider: string }>(),
    'identity.user.email.verified': event<{ email: string }>(),
    'identity.role.assigned': event<{ role: string }>(),
  },
  stores: (db: Db) => ({
    users: userStore(db),
    userRoles: userRoleStore(db),
    oneTimeTokens: oneTimeTokenStore(db),
  }),
  routes: (): Route[] => [
    get(
      '/me',
      { summary: 'The signed-in user', access: 'signed-in', reply: Profile },
      async ({ caller }) => ({ body: profileOf(caller) }),
    ),

    patch(
      '/profile',
      {
        summary: 'Change your profile',
        access: 'signed-in',
        body: ProfileChange,
      },
      async ({ body, caller, services }) => {
        await changeProfile(services, caller.user.id, body);
      },
    ),
  ],
});
