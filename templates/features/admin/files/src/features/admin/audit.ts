import { z } from 'zod';
import type { EventRecorder } from '../../events/bus.js';
import type { Route } from '../../http/route.js';
import { get, ListPage } from './route.js';
import { AuditRecord } from './store.js';

/** Emitted at every refresh, and of no use to a reader of the log. */
const NOT_LOGGED = new Set<string>(['identity.session.rotated']);

/** Logs events: what users did themselves. Requests of administrators are logged by `route.ts`,
 * which knows more of them. */
export const auditRecorder: EventRecorder = {
  async awaits(_services, event) {
    return !NOT_LOGGED.has(event);
  },

  async record({ auditLog }, events) {
    for (const { event, data, metadata, origin } of events) {
      if (NOT_LOGGED.has(event)) continue;
      await auditLog.append({
        action: event,
        actor: origin.actor,
        target: metadata.userId ?? null,
        details: { ...data },
        ip: origin.ip ?? null,
        userAgent: origin.userAgent,
        correlationId: metadata.correlationId ?? null,
      });
    }
  },

  async recordAct({ auditLog }, act) {
    await auditLog.append({ ...act, ip: null, userAgent: null, correlationId: null });
  },
};

const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

const AuditQuery = ListPage.extend({
  actor: z.string().max(128).optional(),
  target: z.string().max(400).optional(),
  event: z.string().max(128).optional(),
  from: time.optional(),
  to: time.optional(),
});

export const auditRoutes: Route[] = [
  get(
    '/audit',
    {
      summary: 'Search the audit log',
      permission: 'audit:read',
      query: AuditQuery,
      reply: z.object({ audit: z.array(AuditRecord), total: z.number() }),
    },
    async ({ query, services }) => {
      const { records, total } = await services.auditLog.search(query);
      return { body: { audit: records, total } };
    },
  ),
];
