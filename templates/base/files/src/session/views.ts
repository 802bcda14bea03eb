import { z } from 'zod';
import type { Session } from './session.js';

export const SessionView = z.object({
  sessionHandle: z.string(),
  handle: z.string(),
  createdAt: z.iso.datetime(),
  lastActiveAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  userAgent: z.string().nullable(),
  ipAddress: z.string().nullable(),
  isCurrent: z.boolean(),
});

export const SessionList = z.object({ sessions: z.array(SessionView) });

/** A session as its owner sees it. `sessionHandle` and `handle` are one value: clients read either. */
export function sessionView(session: Session, currentId: string): z.infer<typeof SessionView> {
  return {
    sessionHandle: session.id,
    handle: session.id,
    createdAt: isoTime(session.createdAt),
    lastActiveAt: isoTime(session.lastActiveAt),
    expiresAt: isoTime(session.expiresAt),
    userAgent: session.userAgent,
    ipAddress: session.ipAddress,
    isCurrent: session.id === currentId,
  };
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}
