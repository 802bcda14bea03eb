import { type Html, html } from '../../../http/html.js';
import { authenticate, type Caller } from '../../../session/authenticate.js';
import type { OwnBrowser } from '../../../session/credentials.js';
import { requireReauthentication } from '../../../session/reauthentication.js';
import { unsealFor } from '../../data-key/sealed-columns.js';
import { carriedBy } from '../../pages/carried.js';
import { codeField, form } from '../../pages/form.js';
import { isGuarded } from '../../pages/guard.js';
import type { Page } from '../../pages/page.js';
import { loginPath, pathTo, undefinedIfRefused, type Visit } from '../../pages/visit.js';
import { isSettingUp, SETUP_TOKEN } from '../../second-factor/challenge.js';
import { pendingSecret } from '../codes.js';
import { requireFirstApp, setUpOf } from '../set-up.js';
import { authenticatorPage, codesScript, recoveryCodeList } from './authenticator.js';
import { t } from './texts.js';

/** Sets up an authenticator app: for a signed-in user, and during a sign-in that requires one. */
export const setUpPage: Page = {
  path: '/ui/2fa-setup',
  assets: [codesScript],
  title: () => t('Set up an authenticator app'),
  elsewhere: async (visit) => ((await callerOf(visit)) ? undefined : loginPath(visit)),
  content: async (visit) => {
    const caller = await callerOf(visit);
    const isBegun = visit.query.has('done') || visit.refusal?.form === 'confirm';
    const pending = isBegun && caller ? await pendingSetUp(visit, caller) : undefined;
    // A reload of the page with the recovery codes, which are shown only once.
    if (isBegun && !pending && visit.caller?.isTotpEnabled) {
      return html`<p class="notice good" role="status">${t('Your authenticator app is set up.')}</p>
<p><a class="button primary" href="${pathTo(visit, authenticatorPage.path)}">${t('Authenticator app')}</a></p>`;
    }
    const step = pending
      ? scan(visit, pending)
      : html`<p>${t('An app on your phone will show a code for each sign-in. Nobody can get in with your password alone.')}</p>
${form(visit, { name: 'begin', submit: t('Begin') })}`;
    return html`${step}
<footer>${visit.caller ? html`<a href="${visit.services.config.AUTH_PREFIX}/ui/account">${t('Back to your account')}</a>` : html`<a href="${pathTo(visit, '/ui/login')}">${t('Use another way to sign in')}</a>`}</footer>`;
  },
  forms: {
    begin: { submits: 'POST /2fa/setup', keepsCarried: true },
    confirm: {
      submits: 'POST /2fa/verify-setup',
      beside: { INVALID_TOTP_CODE: 'token' },
      done: t('Your authenticator app is set up.'),
      next: recoveryCodeList,
    },
  },
};

/** Whose app it is: by the token of a sign-in that requires a set-up, or by the session. */
async function callerOf({ services, request, caller, carried }: Visit) {
  const bearerToken = carried?.bearerToken;
  if (!bearerToken) return caller;
  const setUpCaller = await undefinedIfRefused(async () => {
    const found = await authenticate(services, { ...request, bearerToken }, true, SETUP_TOKEN);
    await requireFirstApp(services, found);
    return found;
  });
  return setUpCaller ?? caller;
}

/** The browser of a sign-in that requires a set-up. A cookie that was planted there lacks the guard of its visit. */
export const ownBrowser: OwnBrowser = async (services, request, userId) => {
  const { bearerToken, guard = '' } = carriedBy(request) ?? {};
  const isOurs = isGuarded(services, request, undefined, guard);
  return isOurs && isSettingUp(services, { ...request, bearerToken }, userId);
};

/**
 * A set-up that is not confirmed yet, so that the page can be reloaded. It requires the same proof as the start:
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
  return html`<p>${t('Scan this code with your authenticator app.')}</p>
<img class="scan" src="${qrCode}" alt="${t('QR code of the key below')}">
<p>${t('If you cannot scan it, type this key into the app:')} <code>${secret}</code></p>
${form(visit, { name: 'confirm', fields: [codeField('token', t('Code from your authenticator app'))], hidden: { secret }, submit: t('Confirm') })}`;
}
