import { z } from 'zod';
import { refuse } from '../../http/errors.js';
import { post } from '../../http/route.js';
import type { Services } from '../../services.js';
import type { Caller } from '../../session/caller.js';
import { Issued, Success } from '../../session/views.js';
import {
  answerChallenge,
  isSetUpOpen,
  requireChallenge,
  SETUP_TOKEN,
} from '../second-factor/challenge.js';
import { isDemanded } from '../second-factor/demand.js';
import { useAnyCode } from './check.js';
import { beginSetUp, confirmSetUp, removeTotp, replaceRecoveryCodes } from './set-up.js';

const code = z.string().min(1).max(64);
const VerifySetupBody = z.object({ token: code, secret: z.string().min(1).max(128) });
const VerifyBody = z.object({ tempToken: z.string().max(4096), totpCode: code });
const SetUp = z.object({ secret: z.string(), otpauthUrl: z.string(), qrCode: z.string() });
const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

export const totpRoutes = [
  post(
    '/2fa/setup',
    {
      summary: 'Begin to set up an authenticator app',
      access: 'fresh',
      acceptsToken: SETUP_TOKEN,
      reply: SetUp,
    },
    async ({ caller, services }) => {
      await requireFirstApp(services, caller);
      return { body: await beginSetUp(services, caller) };
    },
  ),

  post(
    '/2fa/verify-setup',
    {
      summary: 'Confirm the authenticator app with its first code',
      access: 'signed-in',
      acceptsToken: SETUP_TOKEN,
      body: VerifySetupBody,
      reply: Success.extend(RecoveryCodes.shape),
      errors: ['INVALID_TOTP_CODE'],
      limits: ({ caller }) => [['totpCodesOfAccount', caller.user.id]],
    },
    async ({ body, caller, request, services }) => {
      await requireFirstApp(services, caller);
      const recoveryCodes = await confirmSetUp(services, request, caller, body);
      await services.limiter.reset('totpCodesOfAccount', caller.user.id);
      return { body: { success: true, recoveryCodes } };
    },
  ),

  post(
    '/2fa/verify',
    {
      summary: 'Finish a sign-in with a code of the app, or a recovery code',
      body: VerifyBody,
      reply: Issued,
      errors: ['TEMP_TOKEN_REQUIRED', 'INVALID_TEMP_TOKEN', 'INVALID_TOTP_CODE'],
      signsIn: true,
    },
    async ({ body, request, services }) => {
      const challenge = await requireChallenge(services, body.tempToken);
      return answerChallenge(services, request, challenge, {
        method: 'totp',
        wrong: 'INVALID_TOTP_CODE',
        isRight: (userId) => useAnyCode(services, userId, body.totpCode),
      });
    },
  ),

  post(
    '/2fa/disable',
    {
      summary: 'Remove the authenticator app',
      access: 'fresh',
      reply: Success,
      errors: ['2FA_REQUIRED'],
    },
    async ({ caller, request, services }) => {
      if (await isDemanded(services, caller)) throw refuse('2FA_REQUIRED');
      await removeTotp(services, request, caller);
      return { body: { success: true } };
    },
  ),

  post(
    '/2fa/recovery-codes',
    { summary: 'Make new recovery codes', access: 'fresh', reply: RecoveryCodes },
    async ({ caller, services }) => {
      if (!caller.isTotpEnabled) {
        throw refuse('VALIDATION_FAILED', { message: 'Set up an authenticator app first.' });
      }
      return { body: { recoveryCodes: await replaceRecoveryCodes(services, caller) } };
    },
  ),
];

/**
 * The set-up token was made for a user without an app, by whoever knew the first factor. Once there
 * is an app, that is not enough to replace it; nor once that factor has changed. Throws INVALID_TOKEN.
 */
async function requireFirstApp(services: Services, caller: Caller): Promise<void> {
  if (caller.via !== 'single-purpose') return;
  if (caller.isTotpEnabled || !(await isSetUpOpen(services, caller))) throw refuse('INVALID_TOKEN');
}
