import * as z from 'zod';
import type { EventRecorder } from '../../events/bus.js';
import type { Route } from '../../http/route.js';
import type { Services } from '../../services.js';
import { type FilteredPage, ListQuery, list } from './list.js';
import { AuditRecord } from './store.js';

const REFUSED_SIGN_IN = 'identity.auth.login.failed';

/** Logs events that users cause. `route.ts` logs requests of administrators, with more details. */
export const auditRecorder: EventRecorder = {
  async record({ auditLog, workers }, { event, data, metadata, origin }) {
    // Emitted at every refresh, and of no use in the log.
    if (event === 'identity.session.rotated') return;
    if (event === REFUSED_SIGN_IN && origin.actor === null) return workers.admin.count(data.method);
    const { userId: target, correlationId } = metadata;
    // A script may emit a text in place of an object.
    const details = typeof data === 'object' ? { ...data } : {};
    await auditLog.append({ ...origin, action: event, target, details, correlationId });
    if (event === 'identity.user.deleted') await auditLog.forgetUser(metadata.userId ?? '');
  },

  recordAct: ({ auditLog }, { request, ...act }) => {
    const { ip, userAgent, correlationId } = request ?? {};
    return auditLog.append({ ...act, ip, userAgent, correlationId });
  },
};

const time = z.iso
  .datetime({ offset: true, error: 'Use a time such as 2026-01-31T12:00:00Z.' })
  .transform((text) => Date.parse(text));

/** Times in ms; `to` is excluded. */
const AuditQuery = ListQuery.extend({
  actor: z.string().max(128).optional(),
  target: z.string().max(400).optional(),
  event: z.string().max(128).optional(),
  from: time.optional(),
  to: time.optional(),
});

export type AuditPage = FilteredPage & z.output<typeof AuditQuery>;

export const auditRoute: Route = list('/audit', {
  summary: 'Search the audit log',
  permission: 'audit:read',
  query: AuditQuery,
  of: 'audit',
  item: AuditRecord,
  read: async ({ query, services: { auditLog, users } }) => {
    // People know an address; the log has the id.
    const idOf = async (text?: string) =>
      (text?.includes('@') && (await users.findByEmail(text))?.id) || text;
    const [actor, target] = [await idOf(query.actor), await idOf(query.target)];
    return auditLog.search({ ...query, actor, target });
  },
});

const WRITE_EVERY_MS = 5 * 60_000;

/**
 * Keeps the audit log from growing without end. Anyone can cause a refused sign-in, so those that fail at the first
 * factor share one entry every five minutes, with their number; the service's own log has a line for each.
 */
export function refusalCounts({ auditLog, background }: Services) {
  const counts = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
    for (const [method, count] of counts) {
      counts.delete(method);
      const details = { method, count };
      await auditLog.append({ action: REFUSED_SIGN_IN, details }).catch((error) => {
        counts.set(method, (counts.get(method) ?? 0) + count);
        throw error;
      });
    }
  }

  return {
    write,
    /** Counts a sign-in that was refused at its first factor. */
    count(method: string) {
      counts.set(method, (counts.get(method) ?? 0) + 1);
    },
    start() {
      timer = setInterval(() => background.run('count of refusals', write), WRITE_EVERY_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      await write();
    },
  };
}
