import { timingSafeEqual } from 'node:crypto';
import { generateSecret, generateURI } from 'otplib';
import { refuse } from '../../http/errors.js';
import type { RequestFacts } from '../../http/request.js';
import { inTransaction, type Services } from '../../services.js';
import type { Caller } from '../../session/caller.js';
import { openSecret, sealSecret } from './check.js';
import { stepOfCode } from './code.js';
import { codesReplacedMail, disabledMail, enabledMail } from './mail.js';
import { createRecoveryCodes, hashOfRecoveryCode } from './recovery-codes.js';

/** RFC 4226 §4: 160 bits. */
const SECRET_BYTES = 20;

/** What an authenticator app needs to know, as text and as a picture. */
export interface TotpSetUp {
  secret: string;
  otpauthUrl: string;
  /** A PNG as a data URI. */
  qrCode: string;
}

/** Begins a set-up: the secret is kept as pending, and an app that is in use stays in use. */
export async function beginSetUp(services: Services, caller: Caller): Promise<TotpSetUp> {
  const { id, email } = caller.user;
  const secret = generateSecret({ length: SECRET_BYTES });
  await services.totp.savePendingSecret(id, sealSecret(services, id, secret));
  const issuer = new URL(services.config.APP_URL).hostname;
  const otpauthUrl = generateURI({ issuer, label: email, secret });
  // Loaded when a picture is drawn, which is rare.
  const { toDataURL } = await import('qrcode');
  return { secret, otpauthUrl, qrCode: await toDataURL(otpauthUrl) };
}

/**
 * Ends a set-up with a first code; returns the recovery codes, which are shown this once. The
 * secret must be the pending one: a client cannot bring a secret of its own.
 * Throws INVALID_TOTP_CODE.
 */
export async function confirmSetUp(
  services: Services,
  request: RequestFacts,
  caller: Caller,
  { token, secret }: { token: string; secret: string },
): Promise<string[]> {
  const { id, email } = caller.user;
  const sealed = await services.totp.findPendingSecret(id);
  const pending = sealed && openSecret(services, id, sealed);
  if (!sealed || !pending || !isSame(pending, secret)) throw refuse('INVALID_TOTP_CODE');
  const step = stepOfCode(pending, token);
  if (step === undefined) throw refuse('INVALID_TOTP_CODE');
  const codes = createRecoveryCodes();
  await inTransaction(services, async (inside) => {
    if (!(await inside.totp.confirm(id, sealed, step))) throw refuse('INVALID_TOTP_CODE');
    await inside.totp.replaceRecoveryCodes(id, codes.map(hashOfRecoveryCode));
    const subject = { userId: id, request };
    inside.events.publish('identity.user.2fa.enabled', { method: 'totp' }, subject);
  });
  services.background.run('2fa notice', () => services.mailer.send(enabledMail(email)));
  return codes;
}

/** Removes the authenticator app. */
export async function removeTotp(
  services: Services,
  request: RequestFacts,
  caller: Caller,
): Promise<void> {
  const { id, email } = caller.user;
  if (!caller.isTotpEnabled) return;
  await inTransaction(services, async (inside) => {
    await inside.totp.remove(id);
    const subject = { userId: id, request };
    inside.events.publish('identity.user.2fa.disabled', { method: 'totp' }, subject);
  });
  services.background.run('2fa notice', () => services.mailer.send(disabledMail(email)));
}

/** New recovery codes; the old ones are void. */
export async function replaceRecoveryCodes(services: Services, caller: Caller): Promise<string[]> {
  const { id, email } = caller.user;
  const codes = createRecoveryCodes();
  await inTransaction(services, (inside) =>
    inside.totp.replaceRecoveryCodes(id, codes.map(hashOfRecoveryCode)),
  );
  services.background.run('2fa notice', () => services.mailer.send(codesReplacedMail(email)));
  return codes;
}

function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
