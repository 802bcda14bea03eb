import { createHash } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { RequestInfo } from '../../http/request.js';
import { now } from '../../process/clock.js';
import { randomToken } from '../../process/random.js';
import type { Services } from '../../services.js';
import { open, type SealedColumn } from '../data-key/sealed-columns.js';

/** The method's name in sessions and events. */
export const METHOD = 'totp';

/** RFC 6238 §5.2: at most one step early or late. */
const TOLERANCE_STEPS = 1;
const CODE = /^\d{6}$/;
const RECOVERY_CODES = 10;
/** 128 random bits in hex: whoever holds all hashes cannot guess one (ASVS 6.5.2). */
const RECOVERY_CODE_DIGITS = 32;

export const inUse: SealedColumn = { table: 'totp_secrets', id: 'user_id', column: 'secret' };
/** Where a secret waits for its first code. */
export const pendingSecret: SealedColumn = { ...inUse, column: 'pending_secret' };

/** Generates an app's codes: SHA-1, 6 digits, 30 seconds. Many apps support no others. Throws if the secret is not base32. */
export function authenticator(secret: string, label?: { issuer: string; label: string }): TOTP {
  return new TOTP({ ...label, secret: Secret.fromBase32(secret) });
}

/** The time step whose code this is, within one step of now; undefined for a wrong code. Apps show `123 456`. */
export function stepOfCode(secret: string, typed: string): number | undefined {
  const token = typed.replace(/\s/g, '');
  if (!CODE.test(token)) return undefined;
  const [app, timestamp] = [authenticator(secret), now()];
  const delta = app.validate({ token, timestamp, window: TOLERANCE_STEPS });
  return delta === null ? undefined : app.counter({ timestamp }) + delta;
}

/** True if the code is right; it is consumed (RFC 6238 §5.2: a code works once). */
export async function useTotpCode(
  services: Services,
  userId: string,
  code: string,
): Promise<boolean> {
  const found = await services.totp.find(userId);
  if (!found?.secret) return false;
  const secret = await open(services, inUse, userId, found.secret);
  const step = secret === undefined ? undefined : stepOfCode(secret, code);
  return step !== undefined && services.totp.useStep(userId, step);
}

/** True for a code of the app or a recovery code; it is consumed. */
export async function useAnyCode(
  services: Services,
  { language }: RequestInfo,
  userId: string,
  code: string,
): Promise<boolean> {
  if (await useTotpCode(services, userId, code)) return true;
  return services.transaction(async (tx) => {
    if (!(await tx.totp.useRecoveryCode(userId, hashOfRecoveryCode(code)))) return false;
    const left = await tx.totp.countRecoveryCodes(userId);
    const user = await tx.users.findById(userId);
    if (user) await tx.mails.add('recoveryCodeUsed', { email: user.email, language, left });
    return true;
  });
}

/** Ten recovery codes for a lost phone, such as `3f9a-10c2-7e88-d14b-6a05-91fe-c3d7-420b`. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const digits = randomToken().slice(0, RECOVERY_CODE_DIGITS);
    return (digits.match(/.{4}/g) ?? []).join('-');
  });
}

/** The hash to store for a recovery code; dashes, spaces and case do not matter. */
export function hashOfRecoveryCode(code: string): string {
  const plain = code.replace(/[\s-]/g, '').toLowerCase();
  return createHash('sha256').update(plain).digest('hex');
}
