import type { AnyCall } from '../../http/route.js';
import type { Caller } from '../../session/caller.js';
import type { AuditEntry } from './audit-entry.js';

/** Fields of a body that are kept; of all others only the name is, since they may be secrets or scripts. */
const KEPT = new Set(['role', 'name', 'permissions', 'required', 'isActive', 'url', 'provider']);

/** An administrator's act as the audit log keeps it: the route, whom or what it concerned, who called. */
export function actOf(path: string, call: AnyCall & { caller: Caller }): AuditEntry {
  const { request, params, caller, body } = call;
  return {
    action: `${request.method} ${path}`,
    actorId: caller.user.id,
    target: Object.values(params).join('/') || undefined,
    details: detailsOf(body),
    ip: request.ip,
    userAgent: request.userAgent,
    correlationId: request.correlationId,
  };
}

function detailsOf(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null) return {};
  const entries = Object.entries(body);
  const named = entries.filter(([name]) => !KEPT.has(name)).map(([name]) => name);
  return {
    ...Object.fromEntries(entries.filter(([name]) => KEPT.has(name))),
    ...(named.length > 0 ? { fields: named } : {}),
  };
}
