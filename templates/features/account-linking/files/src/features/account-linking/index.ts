import { z } from 'zod';
import { del, get, post } from '../../http/route.js';
import { emailLang } from '../../mail/language.js';
import { finishLogin } from '../../session/finish-login.js';
import { freshnessCodes } from '../../session/freshness.js';
import { Issued, Success } from '../../session/views.js';
import { emailField } from '../../users/email.js';
import { ADDRESS } from './provider-account.js';
import { requestLink } from './request-link.js';
import { LINK_METHOD } from './sign-in-method.js';
import { unlinkAccount } from './unlink-account.js';
import { verifyLink } from './verify-link.js';
import { LinkedAccountList, linkedAccountView } from './views.js';

/** Further fields may prove who the caller is. */
const LinkRequestBody = z.looseObject({
  email: emailField,
  provider: z.string().min(1).max(64).optional(),
  emailLang,
});
const LinkVerifyBody = z.object({
  token: z.string().min(1).max(512),
  loginAfterLinking: z.boolean().optional(),
});

export const accountLinkingRoutes = [
  get(
    '/linked-accounts',
    { summary: 'The linked accounts', access: 'signed-in', reply: LinkedAccountList },
    async ({ caller, services }) => {
      const accounts = await services.accountLinking.listOfUser(caller.user.id);
      return { body: { linkedAccounts: accounts.map(linkedAccountView) } };
    },
  ),

  del(
    '/linked-accounts/{provider}/{id}',
    {
      summary: 'Remove a linked account',
      access: 'fresh',
      reply: Success,
      errors: ['NOT_FOUND', 'LAST_LOGIN_METHOD'],
    },
    async ({ caller, params, request, services }) => {
      await unlinkAccount(services, request, caller.user.id, params);
      return { body: { success: true } };
    },
  ),

  post(
    '/link-request',
    {
      summary: 'Mail a link that adds an address, or settles a conflict of a sign-in',
      body: LinkRequestBody,
      reply: Success,
      errors: ['INVALID_TOKEN', 'SESSION_REVOKED', 'CSRF_INVALID', ...freshnessCodes],
    },
    async ({ body, request, services }) => {
      await requestLink(services, request, body);
      return { body: { success: true } };
    },
  ),

  post(
    '/link-verify',
    {
      summary: 'Make the link of the mail, and sign in if wanted',
      body: LinkVerifyBody,
      reply: Issued,
      errors: ['INVALID_LINK_TOKEN'],
      signsIn: true,
    },
    async ({ body, request, services }) => {
      const { userId, account } = await verifyLink(services, request, body.token);
      if (!body.loginAfterLinking) return { body: { success: true } };
      const { provider } = account;
      return finishLogin(services, request, {
        userId,
        method: LINK_METHOD,
        ...(provider === ADDRESS ? {} : { provider }),
      });
    },
  ),
];
