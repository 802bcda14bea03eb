import type { EventRecorder } from '../../events/recorder.js';

/** Said at every refresh, and nothing that a reader of the log could act on. */
const NOT_KEPT = new Set<string>(['identity.session.rotated']);

/** Keeps every event: what people did themselves. Administrators' acts are kept where they are done. */
export const auditLogRecorder: EventRecorder = {
  async awaits(_services, event) {
    return !NOT_KEPT.has(event);
  },

  async record({ auditLog }, events) {
    for (const { event, data, metadata, origin } of events) {
      if (NOT_KEPT.has(event)) continue;
      await auditLog.append({
        action: event,
        actorId: origin.actorId,
        target: metadata.userId,
        details: { ...data },
        ip: origin.ip,
        userAgent: origin.userAgent,
        correlationId: metadata.correlationId,
      });
    }
  },
};
