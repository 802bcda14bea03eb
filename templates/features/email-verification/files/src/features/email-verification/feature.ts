import * as z from 'zod';
import type { Config } from '../../config.js';
import type { EventRecorder } from '../../events/bus.js';
import { defineFeature } from '../../feature.js';
import { HttpError, refuse } from '../../http/errors.js';
import type { RequestInfo } from '../../http/request.js';
import { get, post, type Route, redirect, Success } from '../../http/route.js';
import { now } from '../../process/clock.js';
import { duration, oneOf } from '../../process/environment.js';
import type { Services } from '../../services.js';
import { isOwnBrowser, proveEmail, verifyEmail } from '../../session/credentials.js';
import type { LoginCheck } from '../../session/finish-login.js';
import { currentSetting, setting } from '../settings/feature.js';
import { KIND, linkLimits, verification } from './mails.js';

const modes = ['none', 'lazy', 'strict'] as const;

/** No second link is mailed this soon: it would void the first, which may still be on its way. */
const ON_ITS_WAY_MS = 60_000;

/**
 * Refuses sign-ins with an unverified address: in `strict` mode always, in `lazy` mode after the
 * grace period. Since the credential was right, the link is mailed again.
 * Throws EMAIL_NOT_VERIFIED, EMAIL_VERIFICATION_REQUIRED.
 */
const loginCheck: LoginCheck = {
  refuses: ['EMAIL_NOT_VERIFIED', 'EMAIL_VERIFICATION_REQUIRED'],
  async check(services, { user }, _signIn, { language }) {
    if (user.emailVerifiedAt !== null) return undefined;
    const mode = await currentSetting(services, 'emailVerificationMode');
    const isInGrace = now() - user.createdAt <= services.config.EMAIL_VERIFICATION_GRACE;
    if (mode === 'none' || (mode === 'lazy' && isInGrace)) return undefined;
    const isOnItsWay = now() - user.createdAt < ON_ITS_WAY_MS;
    if (!isOnItsWay && (await services.limiter.allows(linkLimits(user)))) {
      await services.mails.add('verification', { userId: user.id, language });
    }
    throw refuse(mode === 'strict' ? 'EMAIL_NOT_VERIFIED' : 'EMAIL_VERIFICATION_REQUIRED');
  },
};

/** Mails the link to whoever has just created an account, unless the mode is `none`. */
const recorder: EventRecorder = {
  async record(tx, { event, metadata: { userId }, origin: { language } }) {
    if (event !== 'identity.user.created' || !userId) return;
    if ((await currentSetting(tx, 'emailVerificationMode')) === 'none') return;
    await tx.mails.add('verification', { userId, language });
  },
};

/** Used links are remembered: a mail scanner may have opened the link before its owner. */
const SPENT_KIND = 'email-verification-spent';

/**
 * Verifies the address that the link was mailed to. It signs nobody in and changes no credential, so a scanner that
 * opens it gives nothing away. It proves the address only in the account's own browser, where the reader of the mail
 * and the creator of the account are the same person; a scanner may have come first.
 * Throws INVALID_VERIFICATION_TOKEN.
 */
async function openVerificationLink(
  services: Services,
  request: RequestInfo,
  token: string,
): Promise<void> {
  await services.transaction(async (tx) => {
    const link = await tx.oneTimeTokens.consume(KIND, token);
    if (link) {
      const { userId, payload, expiresAt } = link;
      await tx.oneTimeTokens.issue(SPENT_KIND, userId, expiresAt - now(), payload, token);
    }
    const known = link ?? (await tx.oneTimeTokens.find(SPENT_KIND, token));
    const user = known && (await tx.users.findById(known.userId));
    // A link mailed to a former address of the account proves nothing.
    if (!user || user.email !== known?.payload) throw refuse('INVALID_VERIFICATION_TOKEN');
    const isProof = user.emailProvenAt === null && (await isOwnBrowser(tx, request, user.id));
    if (isProof) return proveEmail(tx, request, user);
    // JSON clients learn that the token was used; a person who follows the link sees a success page.
    if (!link && !request.prefersHtml) throw refuse('INVALID_VERIFICATION_TOKEN');
    await verifyEmail(tx, request, user);
  });
}

export const emailVerification = defineFeature({
  variables: {
    EMAIL_VERIFICATION: oneOf(...modes).prefault('none'),
    EMAIL_VERIFICATION_GRACE: duration(0).prefault('7d'),
  },
  mails: { verification },
  errors: {
    ALREADY_VERIFIED: [400, 'The address is already verified.'],
    INVALID_VERIFICATION_TOKEN: [400, 'This link is no longer valid.'],
    EMAIL_NOT_VERIFIED: [403, 'Confirm your address first, by a mailed link.'],
    EMAIL_VERIFICATION_REQUIRED: [
      403,
      'The time to verify the address has passed. Open the link that was mailed to you.',
    ],
  },
  settings: {
    /** Takes precedence over EMAIL_VERIFICATION. */
    emailVerificationMode: setting(
      z.enum(modes),
      (config: Config): (typeof modes)[number] => config.EMAIL_VERIFICATION,
    ),
  },
  loginCheck,
  provesAddress: true,
  recorder,
  uiFeatures: () => ({ verifyEmail: true }),
  routes: (): Route[] => [
    post('/send-verification-email', {
      summary: 'Mail a link that verifies your address',
      access: 'signed-in',
      // A sign-in may require the address to be proven before there is a session.
      acceptsToken: true,
      errors: ['ALREADY_VERIFIED'],
      handle: async ({ caller, request: { language }, services }) => {
        const { user } = caller;
        if (user.emailProvenAt !== null) throw refuse('ALREADY_VERIFIED');
        await services.limiter.consume(linkLimits(user));
        await services.mails.add('verification', { userId: user.id, language });
      },
    }),

    get('/verify-email', {
      summary: 'Verify an address with the token of the mailed link',
      queryFields: ['token'],
      reply: Success,
      errors: ['INVALID_VERIFICATION_TOKEN'],
      redirects: true,
      consumes: true,
      readsCredential: 'accessToken',
      limits: ({ request }) => [['secretsPerIp', request.ip]],
      handle: async ({ query, request, services }) => {
        const { APP_URL, COOKIE_SAMESITE } = services.config;
        if (COOKIE_SAMESITE === 'strict' && request.prefersHtml && !query.has('here')) {
          // The navigation from a mail brings no `strict` cookie. One that starts here does.
          const headers = { 'content-type': 'text/html', refresh: `0;url=?${request.search}&here` };
          return { text: '', headers };
        }
        const page = `${APP_URL}/email-verified`;
        try {
          await openVerificationLink(services, request, query.get('token') ?? '');
        } catch (error) {
          if (!request.prefersHtml || !(error instanceof HttpError)) throw error;
          return redirect(`${page}?error=${error.code}`);
        }
        return request.prefersHtml ? redirect(page) : undefined;
      },
    }),
  ],
});
