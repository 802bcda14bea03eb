import type { Cause } from '../events/bus.js';
import { refuse } from '../http/errors.js';
import type { Text } from '../http/html.js';
import type { RequestInfo } from '../http/request.js';
import { notice } from '../mail/compose-mail.js';
import type { Services } from '../services.js';
import type { User } from '../users/user.js';
import { endSessionsOfUser } from './end-session.js';

/** Something that a user signs in with, or that a sign-in asks for. */
export interface Credential {
  /**
   * True if the user could sign in with it alone: the last such credential cannot be removed. Absent: it is only required
   * in addition to another one, and stays when the address is proven.
   */
  opensAccount?(services: Services, userId: string): Promise<boolean>;
  /** Removes it, and returns its name for a mail, such as `the phone number …`. Called in a transaction. */
  forget?(tx: Services, userId: string, cause: Cause): Promise<Text[]>;
}

/** True if the request comes from the account's own browser or app. */
export type OwnBrowser = (
  services: Services,
  request: RequestInfo,
  userId: string,
) => Promise<boolean>;

export const isOwnBrowser: OwnBrowser = async (services, request, userId) => {
  for (const { ownBrowser } of services.features) {
    if (await ownBrowser?.(services, request, userId)) return true;
  }
  return false;
};

/** True if the user can sign in with a credential other than `lost`. */
export async function hasWayIn(services: Services, userId: string, lost?: Credential) {
  for (const { credential } of services.features) {
    if (credential !== lost && (await credential?.opensAccount?.(services, userId))) return true;
  }
  return false;
}

/** In a transaction: notes that somebody has opened a link mailed to the address. */
export async function verifyEmail(
  tx: Services,
  request: RequestInfo,
  { id: userId, email }: User,
): Promise<void> {
  if (!(await tx.users.markEmailVerified(userId))) return;
  tx.events.publish('identity.user.email.verified', { email }, { userId, request });
}

/**
 * In a transaction: notes that the sender of the request owns the account's address. Somebody else
 * may have created the account before (pre-hijacking). So the first proof, unless it comes from
 * the account's own browser, removes every way to sign in added before it, and the owner is notified of what
 * was removed (ASVS 6.3.7). What the proof itself sets is added afterwards. Later proofs remove nothing.
 */
export async function proveEmail(tx: Services, request: RequestInfo, user: User): Promise<void> {
  const { id: userId } = user;
  if (user.emailProvenAt !== null || !(await tx.users.markEmailProven(userId))) return;
  await verifyEmail(tx, request, user);
  if (await isOwnBrowser(tx, request, userId)) return;
  const removed: Text[] = [];
  for (const { credential } of tx.features) {
    if (!credential?.opensAccount) continue;
    removed.push(...((await credential.forget?.(tx, userId, { request })) ?? []));
  }
  await tx.oneTimeTokens.revokeAll(userId);
  await endSessionsOfUser(tx, { request }, userId, 'email-proven');
  const about = { email: user.email, language: request.language, removed };
  if (removed.length > 0) await tx.mails.add('addedBeforeRemoved', about);
}

/**
 * In a transaction that adds a credential: throws SESSION_REVOKED if the session has ended meanwhile. The address
 * cannot be proven until the transaction ends; otherwise what a stranger adds at that moment would outlive the proof.
 */
export async function requireLiveSession(
  tx: Services,
  { user, sessionId }: { user: User; sessionId: string },
): Promise<void> {
  await tx.users.lock(user.id);
  if (!(await tx.sessions.find(sessionId))) throw refuse('SESSION_REVOKED');
}

export const addedBeforeRemoved = notice(({ removed }: { removed: Text[] }) => ({
  subject: {
    en: 'Sign-in methods were removed from your account',
    de: 'Wege zur Anmeldung wurden aus Ihrem Konto entfernt',
  },
  paragraphs: [
    {
      en: 'You have just proven that this address is yours. Someone else may have created the account, so these sign-in methods were removed, and all sessions were ended:',
      de: 'Sie haben soeben bestätigt, dass diese Adresse Ihnen gehört. Vielleicht hatte jemand anderes das Konto angelegt. Deshalb wurden diese Wege zur Anmeldung entfernt und alle Sitzungen beendet:',
    },
    {
      en: removed.map(({ en }) => en).join(', '),
      de: removed.map(({ en, de = en }) => de).join(', '),
    },
    {
      en: 'If you added them yourself, add them again. Nobody else has access to the account now.',
      de: 'Falls Sie sie selbst hinzugefügt hatten, fügen Sie sie erneut hinzu. Niemand sonst hat jetzt Zugang zu Ihrem Konto.',
    },
  ],
}));
