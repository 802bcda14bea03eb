import * as z from 'zod';
import type { Db } from '../db/schema.js';
import { defineFeature, event } from '../feature.js';
import { refuse } from '../http/errors.js';
import { get, patch, type Route } from '../http/route.js';
import { profileFields } from '../policy.js';
import { type Account, userRoleStore } from './account.js';
import { oneTimeTokenStore } from './one-time-tokens.js';
import { userStore } from './user-store.js';

/** The response of GET /me: all nine fields, always. */
const Profile = z.object({
  sub: z.string(),
  email: z.string(),
  role: z.string(),
  loginProvider: z.string(),
  isEmailVerified: z.boolean(),
  isTotpEnabled: z.boolean(),
  metadata: z.record(z.string(), z.unknown()),
  roles: z.array(z.string()),
  permissions: z.array(z.string()),
});

function profileOf(account: Account): z.infer<typeof Profile> {
  const { user, roles } = account;
  return {
    sub: user.id,
    email: user.email,
    role: roles.primary,
    loginProvider: user.loginProvider,
    isEmailVerified: user.emailVerifiedAt !== null,
    isTotpEnabled: account.isTotpEnabled,
    metadata: user.metadata,
    roles: roles.names,
    permissions: roles.permissions,
  };
}

/** A form sends an emptied field as an empty string: it clears the field, as null does. */
const profileField = z
  .string()
  .trim()
  .max(200)
  .transform((value) => (value === '' ? null : value))
  .nullable()
  .optional();

/** The profile fields that a user may change; null clears one. */
const ProfileChange = z.object(
  Object.fromEntries(profileFields.map((name) => [name, profileField])),
);

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
    get('/me', {
      summary: 'The signed-in user',
      access: 'signed-in',
      reply: Profile,
      handle: async ({ caller }) => ({ body: profileOf(caller) }),
    }),

    patch('/profile', {
      summary: 'Change your profile',
      access: 'signed-in',
      body: ProfileChange,
      handle: async ({ body, caller, services }) => {
        await services.transaction(async ({ users }) => {
          // Read under the lock: what an administrator removes meanwhile must not come back.
          const user = await users.lock(caller.user.id);
          if (!user) throw refuse('INVALID_TOKEN');
          const metadata = { ...user.metadata };
          for (const [field, value] of Object.entries(body)) {
            if (value === null) delete metadata[field];
            else if (value !== undefined) metadata[field] = value;
          }
          await users.updateMetadata(user.id, metadata);
        });
      },
    }),
  ],
});
