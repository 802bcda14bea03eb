import { type Html, html } from '../../../http/html.js';
import { authenticate, type Caller } from '../../../session/authenticate.js';
import { requireReauthentication } from '../../../session/reauthentication.js';
import { unsealFor } from '../../data-key/sealed-columns.js';
import { codeField, form } from '../../pages/form.js';
import type { Page } from '../../pages/page.js';
import { pagesTexts } from '../../pages/texts.js';
import { loginPath, unlessRefused, type Visit } from '../../pages/visit.js';
import { SETUP_TOKEN } from '../../second-factor/challenge.js';
import { pendingSecret } from '../codes.js';
import { requireFirstApp, setUpOf } from '../set-up.js';
import { codesScript, recoveryCodeList } from './authenticator.js';
import { texts } from './texts.js';

/** Sets up an authenticator app: for a signed-in user, and during a sign-in that requires one. */
export const setUpPage: Page = {
  path: '/ui/2fa-setup',
  assets: [codesScript],
  title: () => texts.setUp,
  elsewhere: async (visit) => ((await callerOf(visit)) ? undefined : loginPath(visit)),
  content: async (visit) => {
    const caller = await callerOf(visit);
    const isBegun = visit.query.has('done') || visit.refusal?.form === 'confirm';
    const pending = isBegun && caller ? await pendingSetUp(visit, caller) : undefined;
    const step = pending
      ? scan(visit, pending)
      : html`<p>${texts.setUpText}</p>
${form(visit, { name: 'begin', submit: texts.begin })}`;
    return html`${step}
${visit.caller && html`<footer><a href="${visit.services.config.AUTH_PREFIX}/ui/account">${pagesTexts.backToAccount}</a></footer>`}`;
  },
  forms: {
    begin: { submits: 'POST /2fa/setup', bearer: ({ carried }) => carried?.tempToken },
    confirm: {
      submits: 'POST /2fa/verify-setup',
      usesCarried: true,
      bearer: ({ carried }) => carried?.tempToken,
      beside: { INVALID_TOTP_CODE: 'token' },
      done: texts.isSetUp,
      next: recoveryCodeList,
    },
  },
};

/** Whose app it is: by the token of a sign-in that requires a set-up, or by the session. */
async function callerOf({ services, request, caller, carried }: Visit) {
  const bearerToken = carried?.tempToken;
  if (!bearerToken) return caller;
  const sentHere = await unlessRefused(async () => {
    const found = await authenticate(services, { ...request, bearerToken }, true, SETUP_TOKEN);
    await requireFirstApp(services, found);
    return found;
  });
  return sentHere ?? caller;
}

/**
 * What was begun and is not confirmed: the page can be reloaded. It requires what beginning required:
 * whoever sees the key can confirm it, and then lock the owner out. Throws REAUTHENTICATION_REQUIRED.
 */
async function pendingSetUp({ services }: Visit, caller: Caller) {
  await requireReauthentication(services, caller, 'strong', {});
  const { user } = caller;
  const pending = (await services.totp.find(user.id))?.pending;
  const opened = pending && unsealFor(services, pendingSecret, user.id, pending);
  return opened ? setUpOf(services, user.email, opened.text) : undefined;
}

function scan(visit: Visit, { secret, qrCode }: { secret: string; qrCode: string }): Html {
  return html`<p>${texts.scan}</p>
<img class="scan" src="${qrCode}" alt="${texts.qrCode}">
<p>${texts.typeSecret} <code>${secret}</code></p>
${form(visit, { name: 'confirm', fields: [codeField('token', texts.code)], hidden: { secret }, submit: texts.confirm })}`;
}
