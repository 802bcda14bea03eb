import type { RequestInfo } from '../http/request.js';
import type { Services } from '../services.js';
import type { User } from '../users/user.js';
import { endSessionsOfUser } from './end-session.js';

/** Something that an account is signed in with, or that a sign-in asks for. */
export interface Credential {
  /** True if the user could sign in with it alone: the last one of these cannot be removed. */
  opensAccount(services: Services, userId: string): Promise<boolean>;
  /** True for what is only ever asked for beside something else. */
  isAdditional?: boolean;
  /** Removes it from the account. Called within a transaction. */
  forget(services: Services, userId: string): Promise<void>;
  /** Ends sign-ins that are under way. Called when all sessions of the user end. */
  stopSignIns?(services: Services, userId: string): Promise<void>;
}

/**
 * Notes that whoever is signing in controls the account's address. If nobody had proved that before,
 * somebody else may have opened the account in wait for its owner: what they can get in with is
 * removed and their sessions end (ASVS 6.3.7, pre-hijacking). `keepsAdditional` is for a proof that
 * signs nobody in: what is asked for besides is still asked for after it.
 */
export async function proveEmail(
  services: Services,
  request: RequestInfo,
  user: User,
  { keepsAdditional = false } = {},
): Promise<void> {
  if (user.emailVerifiedAt !== null) return;
  await services.transaction(async (tx) => {
    if (!(await tx.users.markEmailVerified(user.id))) return;
    for (const { credential } of tx.features) {
      if (!(keepsAdditional && credential?.isAdditional)) await credential?.forget(tx, user.id);
    }
    await endSessionsOfUser(tx, { request }, user.id, 'email-proven');
    tx.events.publish(
      'identity.user.email.verified',
      { email: user.email },
      { userId: user.id, request },
    );
  });
}
