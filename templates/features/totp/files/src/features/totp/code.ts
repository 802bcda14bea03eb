import { verifySync } from 'otplib';
import { now } from '../../clock.js';

/** RFC 6238 §4.1: the step that authenticator apps take for granted. */
export const STEP_SECONDS = 30;
/** RFC 6238 §5.2: one step of delay to either side, no more. */
const TOLERANCE_SECONDS = STEP_SECONDS;
const CODE = /^\d{6}$/;

/** The time step whose code this is, within one step of now; undefined for a wrong code. */
export function stepOfCode(secret: string, code: string): number | undefined {
  if (!CODE.test(code)) return undefined;
  const epoch = Math.floor(now() / 1000);
  const result = verifySync({ secret, token: code, epoch, epochTolerance: TOLERANCE_SECONDS });
  if (!result.valid) return undefined;
  return Math.floor(epoch / STEP_SECONDS) + result.delta;
}
