import type { RevocationReason } from '../session/end-session.js';

/** The events of every service, by name, with their data. */
export interface BaseEvents {
  'identity.user.created': { email: string; loginProvider: string };
  'identity.user.email.verified': { email: string };
  'identity.role.assigned': { role: string };
  'identity.session.created': {
    sessionId: string;
    method: string;
    userAgent: string | null;
    ipAddress: string | null;
  };
  'identity.session.rotated': { sessionId: string };
  'identity.session.revoked': { sessionId: string; reason: RevocationReason };
  'identity.session.expired': { sessionId: string };
  'identity.auth.login.success': { method: string; provider?: string };
  'identity.auth.login.failed': { method: string; reason: string; email: string };
  'identity.auth.logout': { sessionId: string };
}
