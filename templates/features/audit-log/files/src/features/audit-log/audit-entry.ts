/** One line of the audit log, before it is written. */
export interface AuditEntry {
  action: string;
  actorId: string | undefined;
  target: string | undefined;
  details: Record<string, unknown>;
  ip: string | undefined;
  userAgent: string | null;
  correlationId: string | undefined;
}

/** One line of the audit log. `occurredAt` in ms. */
export interface AuditRecord {
  id: string;
  occurredAt: number;
  action: string;
  actorId: string | null;
  target: string | null;
  details: Record<string, unknown>;
  ip: string | null;
  userAgent: string | null;
  correlationId: string | null;
}
