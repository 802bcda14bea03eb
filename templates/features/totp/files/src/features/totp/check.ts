import type { Services } from '../../services.js';
import { seal, unseal } from '../../session/seal.js';
import { stepOfCode } from './code.js';
import { codeUsedMail } from './mail.js';
import { hashOfRecoveryCode } from './recovery-codes.js';

/** A secret as it is stored: sealed for this user. */
export function sealSecret(services: Services, userId: string, secret: string): string {
  return seal(services.keys.sealing, contextOf(userId), secret);
}

/** The secret again. Throws if no key opens it: an ACCESS_TOKEN_SECRET was dropped too early. */
export function openSecret(services: Services, userId: string, sealed: string): string {
  const secret = unseal(services.keys.sealing, contextOf(userId), sealed);
  if (secret === undefined) throw new Error('A TOTP secret cannot be opened with these secrets.');
  return secret;
}

/** True if the code is this user's, now; it is used up (RFC 6238 §5.2: a code works once). */
export async function useTotpCode(
  services: Services,
  userId: string,
  code: string,
): Promise<boolean> {
  const sealed = await services.totp.findSecret(userId);
  if (!sealed) return false;
  const step = stepOfCode(openSecret(services, userId, sealed), code);
  return step !== undefined && services.totp.useStep(userId, step);
}

/** True for a code of the app or a recovery code; either is used up. */
export async function useAnyCode(
  services: Services,
  userId: string,
  code: string,
): Promise<boolean> {
  if (await useTotpCode(services, userId, code)) return true;
  if (!(await services.totp.useRecoveryCode(userId, hashOfRecoveryCode(code)))) return false;
  services.background.run('recovery code notice', () => tellOfUse(services, userId));
  return true;
}

async function tellOfUse(services: Services, userId: string): Promise<void> {
  const user = await services.users.findById(userId);
  if (!user) return;
  const left = await services.totp.countRecoveryCodes(userId);
  await services.mailer.send(codeUsedMail(user.email, left));
}

function contextOf(userId: string): string {
  return `totp:${userId}`;
}
