import { type Html, html } from '../../../http/html.js';
import type { Result } from '../../../http/route.js';
import { readAsset } from '../../pages/assets.js';
import { confirmedForm } from '../../pages/form.js';
import type { Text } from '../../pages/language.js';
import type { AccountPage } from '../../pages/page.js';
import { destinationOf, pathTo, type SignedIn, type Visit } from '../../pages/visit.js';
import { t } from './texts.js';

/** The buttons beside the codes. */
export const codesScript = readAsset('codes.browser.js', import.meta.url);

/** The authenticator app: set it up, replace it, turn it off; new recovery codes. */
export const authenticatorPage: AccountPage = {
  path: '/ui/account/authenticator',
  section: 'access',
  order: 2,
  title: () => t('Authenticator app'),
  state: ({ caller }) => t(caller.isTotpEnabled ? 'On' : 'Off'),
  assets: [codesScript],
  content: (visit) => (visit.caller.isTotpEnabled ? inUse(visit) : notInUse(visit)),
  forms: {
    renew: { submits: 'POST /2fa/recovery-codes', next: recoveryCodeList },
    disable: { submits: 'POST /2fa/disable', done: t('Your authenticator app is turned off.') },
  },
};

function notInUse(visit: SignedIn): Html {
  return html`<p>${t('An app on your phone will show a code for each sign-in. Nobody can get in with your password alone.')}</p>
${setUpLink(visit, 'primary', t('Set up an authenticator app'))}`;
}

async function inUse(visit: SignedIn): Promise<Html> {
  const { services, caller } = visit;
  const left = await services.totp.countRecoveryCodes(caller.user.id);
  return html`<p>${t('Signing in requires a code from your app.')} ${t('Recovery codes left:')} <strong>${left}</strong></p>
${confirmedForm(visit, t('Your old recovery codes will no longer work.'), { name: 'renew', submit: t('Generate new recovery codes'), look: 'primary' })}
${setUpLink(visit, 'plain', t('Move to another app or phone'))}
${confirmedForm(visit, t('Anybody who learns your password can then get into your account. Your other sessions will end.'), { name: 'disable', submit: t('Turn it off') })}`;
}

function setUpLink(visit: SignedIn, look: 'primary' | 'plain', label: Text): Html {
  const path = pathTo(visit, '/ui/2fa-setup', { return_to: visit.request.path });
  return html`<a class="button ${look}" href="${path}">${label}</a>`;
}

/** Shown once: the service keeps only their hashes. Where scripts run, they can be copied, saved and printed. */
export function recoveryCodeList(visit: Visit, { body }: Result): Html {
  const { recoveryCodes } = body as { recoveryCodes: string[] };
  const onward = visit.caller ? destinationOf(visit) : pathTo(visit, '/ui/login');
  return html`<p>${t('Print or save these recovery codes. Each works once, if you ever lose your phone. They are shown only now.')}</p>
<ol class="codes" data-copy="${t('Copy')}" data-copied="${t('Copied')}" data-save="${t('Save as a file')}" data-print="${t('Print')}" data-file="${visit.services.config.SERVICE_NAME}-recovery-codes.txt">${recoveryCodes.map((code) => html`<li><code>${code}</code></li>`)}</ol>
<p><a class="button primary" href="${onward}">${t('I have saved them')}</a></p>`;
}
