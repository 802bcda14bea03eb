import * as z from 'zod';
import type { Config } from '../../config.js';
import type { Db } from '../../db/schema.js';
import { defineFeature } from '../../feature.js';
import type { Route } from '../../http/route.js';
import { pathPrefix } from '../../process/addresses.js';
import { now } from '../../process/clock.js';
import { duration } from '../../process/environment.js';
import type { Services } from '../../services.js';
import { auditRecorder, auditRoute, refusalCounts } from './audit.js';
import { overviewRoute } from './overview.js';
import { roleRoutes } from './roles.js';
import { get } from './route.js';
import { sessionRoutes } from './sessions.js';
import { settingRoutes, testMailRoute } from './settings.js';
import { adminStore, auditLogStore } from './store.js';
import { userActRoutes } from './user-acts.js';
import { userRoutes } from './users.js';

declare module '../../feature.js' {
  interface FeatureParts {
    /** The permissions without which an administrator's export of a person leaves these tables out. */
    exportPermissions?: Record<string, string>;
  }
}

export function adminPrefix({ ADMIN_PREFIX }: Config): string {
  return `${ADMIN_PREFIX}/api`;
}

export const admin = defineFeature({
  variables: {
    ADMIN_PREFIX: pathPrefix().prefault('/admin'),
    AUDIT_RETENTION: duration().prefault('365d'),
  },
  errors: {
    USER_EXISTS: [409, 'There is already an account with this address.'],
    ROLE_NOT_FOUND: [404, 'There is no such role.'],
    ROLE_EXISTS: [409, 'There is already a role with this name.'],
    ROLE_PROTECTED: [409, 'This role cannot be changed.'],
    MAIL_NOT_SENT: [502, 'The mail server did not accept the mail.'],
  },
  stores: (db: Db) => ({ admin: adminStore(db), auditLog: auditLogStore(db) }),
  recorder: auditRecorder,
  worker: refusalCounts,
  exportPermissions: { sessions: 'sessions:read' },
  cleanUp: ({ auditLog, config }: Services): Promise<void> =>
    auditLog.deleteBefore(now() - config.AUDIT_RETENTION),
  prefix: adminPrefix,
  routes: (services: Services): Route[] => [
    get('/ping', {
      summary: 'Check access to the administration and list its features',
      permission: 'admin:access',
      reply: z.object({ ok: z.literal(true), features: z.array(z.string()) }),
      handle: async ({ services }) => {
        // As their folders are named: `data-export` for `dataExport`.
        const features = services.features.map(({ name }) =>
          name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
        );
        return { body: { ok: true, features } };
      },
    }),
    overviewRoute,
    ...userRoutes,
    ...userActRoutes,
    ...sessionRoutes,
    ...roleRoutes,
    ...settingRoutes(services),
    testMailRoute,
    auditRoute,
  ],
});
