import { type Html, html } from '../../../http/html.js';
import { authenticate, type Caller } from '../../../session/authenticate.js';
import { codeField, form } from '../../pages/form.js';
import type { Page } from '../../pages/page.js';
import { loginPath } from '../../pages/paths.js';
import { unlessRefused, type Visit } from '../../pages/visit.js';
import { SETUP_TOKEN } from '../../second-factor/challenge.js';
import { pendingSecretOf } from '../codes.js';
import { setUpOf } from '../set-up.js';
import { codesScript, recoveryCodeList } from './authenticator.js';
import { texts } from './texts.js';

/** Sets up an authenticator app: for whoever is signed in, and on the way of a sign-in that demands one. */
export const setUpPage: Page = {
  path: '/ui/2fa-setup',
  assets: [codesScript],
  title: () => texts.setUp,
  elsewhere: async (visit) => ((await callerOf(visit)) ? undefined : loginPath(visit)),
  content: async (visit) => {
    const caller = await callerOf(visit);
    const isBegun = visit.query.has('done') || visit.refusal?.form === 'confirm';
    const pending = isBegun && caller ? await pendingSetUp(visit, caller) : undefined;
    return pending ? scan(visit, pending) : begin(visit);
  },
  forms: {
    begin: { submits: 'POST /2fa/setup', bearer: ({ carried }) => carried?.tempToken },
    confirm: {
      submits: 'POST /2fa/verify-setup',
      usesCarried: true,
      bearer: ({ carried }) => carried?.tempToken,
      beside: { INVALID_TOTP_CODE: 'token' },
      next: (visit, { body }) => {
        const { recoveryCodes } = body as { recoveryCodes: string[] };
        return html`<p class="notice good" role="status">${texts.isSetUp}</p>
${recoveryCodeList(visit, recoveryCodes)}`;
      },
    },
  },
};

/** Whose app it is: by the token of a sign-in that demands a set-up, or by the session. */
async function callerOf({ services, request, caller, carried }: Visit) {
  const bearerToken = carried?.tempToken;
  if (!bearerToken) return caller;
  const asBearer = { ...request, bearerToken };
  return (await unlessRefused(() => authenticate(services, asBearer, true, SETUP_TOKEN))) ?? caller;
}

/** What was begun and is not confirmed: the page can be loaded again. */
async function pendingSetUp({ services }: Visit, { user }: Caller) {
  const pending = (await services.totp.find(user.id))?.pending;
  const secret = pending && pendingSecretOf(services, user.id, pending);
  return secret ? setUpOf(services, user.email, secret) : undefined;
}

function begin(visit: Visit): Html {
  return html`<p>${texts.setUpText}</p>
${form(visit, { name: 'begin', submit: texts.begin })}`;
}

function scan(visit: Visit, { secret, qrCode }: { secret: string; qrCode: string }): Html {
  return html`<p>${texts.scan}</p>
<img class="scan" src="${qrCode}" alt="${texts.qrCode}">
<p>${texts.typeSecret} <code>${secret}</code></p>
${form(visit, { name: 'confirm', fields: [codeField('token', texts.code)], hidden: { secret }, submit: texts.confirm })}`;
}
