import { z } from 'zod';
import type { EventRecorder } from '../../events/bus.js';
import type { Worker } from '../../feature.js';
import type { Route } from '../../http/route.js';
import type { Services } from '../../services.js';
import { get, ListPage } from './route.js';
import { AuditRecord } from './store.js';

/** Emitted at every refresh, and of no use to a reader of the log. */
const NOT_LOGGED = new Set<string>(['identity.session.rotated']);

const REFUSED_SIGN_IN = 'identity.auth.login.failed';
const MINUTE = 60 * 1000;

export interface RefusedSignInCounter extends Worker {
  count(method: string): void;
}

/**
 * Counts sign-ins that were refused before anybody had shown who they are. Anyone can cause them, so the audit
 * log gets their number of each minute; the service's own log has a line for each.
 */
export function refusedSignInCounter({ auditLog, background }: Services): RefusedSignInCounter {
  const counts = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
    for (const [method, count] of counts) {
      counts.delete(method);
      await auditLog.append({
        action: REFUSED_SIGN_IN,
        actor: null,
        target: null,
        details: { method, count },
        ip: null,
        userAgent: null,
        correlationId: null,
      });
    }
  }

  return {
    count(method) {
      counts.set(method, (counts.get(method) ?? 0) + 1);
    },
    start() {
      timer = setInterval(() => background.run('count of refused sign-ins', write), MINUTE).unref();
    },
    async stop() {
      clearInterval(timer);
      await write();
    },
  };
}

/** Logs events: what users did themselves. `route.ts` logs the requests of administrators, of which it knows more. */
export const auditRecorder: EventRecorder = {
  async awaits(_services, event) {
    return !NOT_LOGGED.has(event);
  },

  async record({ auditLog, workers }, events) {
    for (const { event, data, metadata, origin } of events) {
      if (NOT_LOGGED.has(event)) continue;
      if (event === REFUSED_SIGN_IN && origin.actor === null) {
        workers.admin.count(data.method);
        continue;
      }
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

/** Times in ms; `to` is excluded. */
export const AuditQuery = ListPage.extend({
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
