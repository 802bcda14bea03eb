import { Secret } from 'otpauth';
import { PNG } from 'pngjs';
import encodeQR from 'qr';
import * as z from 'zod';
import type { Cause } from '../../events/bus.js';
import { refuse } from '../../http/errors.js';
import type { Text } from '../../http/html.js';
import { post, type Route, Success } from '../../http/route.js';
import type { Services } from '../../services.js';
import type { Caller } from '../../session/authenticate.js';
import { requireLiveSession } from '../../session/credentials.js';
import { endSessionsOfUser } from '../../session/end-session.js';
import { open, sealFor } from '../data-key/sealed-columns.js';
import { findChallenge, isSecondFactorRequired } from '../second-factor/challenge.js';
import {
  authenticator,
  createRecoveryCodes,
  hashOfRecoveryCode,
  inUse,
  METHOD,
  pendingSecret,
  stepOfCode,
} from './codes.js';

/** RFC 4226 §4: 160 bits. */
const SECRET_BYTES = 20;

const code = z.string().min(1).max(64);
const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

export const setUpRoutes: Route[] = [
  /**
   * Stores the secret as pending; an app in use stays in use. The factor outlives every proof of the address, so
   * somebody who created the account with another person's address must not add one: EMAIL_NOT_VERIFIED before the
   * address is proven, where that is possible.
   */
  post('/2fa/setup', {
    summary: 'Begin to set up an authenticator app',
    access: 'strong',
    acceptsToken: true,
    reply: z.object({ secret: z.string(), otpauthUrl: z.string(), qrCode: z.string() }),
    errors: ['EMAIL_NOT_VERIFIED'],
    limits: ({ request }) => [['secretsPerIp', request.ip]],
    handle: async ({ caller, services }) => {
      const { id, email, emailProvenAt } = caller.user;
      const isProvable = services.features.some(({ provesAddress }) => provesAddress);
      if (isProvable && emailProvenAt === null) throw refuse('EMAIL_NOT_VERIFIED');
      const secret = new Secret({ size: SECRET_BYTES }).base32;
      const pending = sealFor(services, pendingSecret, id, `${caller.sessionId}:${secret}`);
      await services.totp.savePendingSecret(id, pending);
      return { body: setUpOf(services, email, secret) };
    },
  }),

  /**
   * Answers with the recovery codes, which are shown only here. The secret must be the pending one: a client cannot
   * choose it.
   */
  post('/2fa/verify-setup', {
    summary: 'Confirm the authenticator app with its first code',
    access: 'signed-in',
    acceptsToken: true,
    body: z.object({ token: code, secret: z.string().min(1).max(128) }),
    reply: Success.extend(RecoveryCodes.shape),
    errors: ['INVALID_TOTP_CODE'],
    limits: ({ caller }) => [['totpCodesOfAccount', caller.user.id]],
    handle: async ({ body: { token, secret }, caller, request, services }) => {
      const { id, email } = caller.user;
      const pending = await findPending(services, caller);
      const step = pending?.secret === secret ? stepOfCode(secret, token) : undefined;
      if (step === undefined) throw refuse('INVALID_TOTP_CODE');
      const recoveryCodes = await services.transaction(async (tx) => {
        // A parallel sign-in has either opened its session by now, or will see the app.
        await tx.users.lock(id);
        // Someone whose session or sign-in is being ended must not leave a factor behind that locks the owner out.
        if (caller.via !== 'single-purpose') await requireLiveSession(tx, caller);
        else if (!(await findChallenge(tx, caller.sessionId))) throw refuse('INVALID_TOKEN');
        const sealed = sealFor(tx, inUse, id, secret);
        // Read again: the first time has sealed it anew if an older key of DATA_KEY had.
        const current = await findPending(tx, caller);
        const isPending = current?.secret === secret;
        if (!isPending || !(await tx.totp.confirm(id, current.sealed, sealed, step)))
          throw refuse('INVALID_TOTP_CODE');
        const cause = { userId: id, request };
        tx.events.publish('identity.user.2fa.enabled', { method: METHOD }, cause);
        await tx.sessions.addFactor(caller.sessionId, METHOD);
        // Whoever signed in without the app is signed out: a thief, and devices that their owner signs in again.
        await endSessionsOfUser(tx, { request }, id, '2fa-enabled', caller.sessionId);
        await tx.mails.add('totpEnabled', { email, language: request.language });
        return replaceRecoveryCodes(tx, id);
      });
      await services.limiter.reset('totpCodesOfAccount', id);
      return { body: { success: true, recoveryCodes } };
    },
  }),

  post('/2fa/disable', {
    summary: 'Remove the authenticator app',
    access: 'strong',
    errors: ['2FA_REQUIRED'],
    handle: async ({ caller, request, services }) => {
      if (await isSecondFactorRequired(services, caller)) throw refuse('2FA_REQUIRED');
      if (!caller.isTotpEnabled) return;
      const { id, email } = caller.user;
      await services.transaction(async (tx) => {
        await requireLiveSession(tx, caller);
        await forgetTotp(tx, id, { request });
        await endSessionsOfUser(tx, { request }, id, '2fa-disabled', caller.sessionId);
        await tx.mails.add('totpDisabled', { email, language: request.language });
      });
    },
  }),

  post('/2fa/recovery-codes', {
    summary: 'Generate new recovery codes',
    access: 'strong',
    reply: RecoveryCodes,
    errors: ['METHOD_NOT_AVAILABLE'],
    limits: ({ request }) => [['secretsPerIp', request.ip]],
    handle: async ({ caller, request: { language }, services }) => {
      const { id, email } = caller.user;
      const recoveryCodes = await services.transaction(async (tx) => {
        await requireLiveSession(tx, caller);
        // Codes of a removed app would be left without an owner.
        if (!(await tx.totp.find(id))?.secret) throw refuse('METHOD_NOT_AVAILABLE');
        await tx.mails.add('recoveryCodesReplaced', { email, language });
        return replaceRecoveryCodes(tx, id);
      });
      return { body: { recoveryCodes } };
    },
  }),
];

/** The secret of the set-up that the caller's session or token has begun: no other may see it, or finish the set-up. */
export async function findPending(services: Services, { user: { id }, sessionId }: Caller) {
  const sealed = (await services.totp.find(id))?.pending;
  if (!sealed) return undefined;
  const opened = await open(services, pendingSecret, id, sealed);
  const begun = `${sessionId}:`;
  return opened?.startsWith(begun) ? { sealed, secret: opened.slice(begun.length) } : undefined;
}

/** In a transaction that has locked the user: replaces their recovery codes; the old ones no longer work. */
async function replaceRecoveryCodes({ totp }: Services, userId: string): Promise<string[]> {
  const codes = createRecoveryCodes();
  await totp.replaceRecoveryCodes(userId, codes.map(hashOfRecoveryCode));
  return codes;
}

/** What an app needs to import a secret: as text, as a link, and as a QR code. */
export function setUpOf({ config }: Services, email: string, secret: string) {
  const issuer = config.SERVICE_NAME;
  const otpauthUrl = authenticator(secret, { issuer, label: email }).toString();
  return { secret, otpauthUrl, qrCode: qrCodeOf(otpauthUrl) };
}

/** In a transaction: removes the authenticator app; an event says so if it was in use. The caller checks who may. */
export async function forgetTotp(tx: Services, userId: string, cause: Cause): Promise<Text[]> {
  if (!(await tx.totp.remove(userId))) return [];
  tx.events.publish('identity.user.2fa.disabled', { method: METHOD }, { ...cause, userId });
  return [{ en: 'the authenticator app', de: 'die Authenticator-App' }];
}

/** Pixels of a module: a phone reads it from a screen at arm's length. */
const SCALE = 6;

/** A QR code as the data URI of a PNG, with the quiet zone of four modules (ISO/IEC 18004 §9.1). */
function qrCodeOf(text: string): string {
  // On a screen nothing hides a part of it, and with more error correction the longest address would not fit.
  const rows = encodeQR(text, 'raw', { ecc: 'low', border: 4, scale: SCALE });
  const png = new PNG({ width: rows.length, height: rows.length });
  png.data = Buffer.concat(rows.map((row) => Buffer.from(row.map((isDark) => (isDark ? 0 : 255)))));
  // One gray byte per pixel, and filter 2, since most rows equal the one above: slow encoding would block others.
  const grey = { colorType: 0, inputColorType: 0, inputHasAlpha: false, filterType: 2 } as const;
  return `data:image/png;base64,${PNG.sync.write(png, grey).toString('base64')}`;
}
