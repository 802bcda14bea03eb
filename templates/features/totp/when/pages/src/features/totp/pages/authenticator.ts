import { type Html, html } from '../../../http/html.js';
import type { Result } from '../../../http/route.js';
import { readAsset } from '../../pages/assets.js';
import { confirmedForm } from '../../pages/form.js';
import type { Text } from '../../pages/language.js';
import type { AccountPage } from '../../pages/page.js';
import { destinationOf, pathTo, type SignedIn, type Visit } from '../../pages/visit.js';
import { texts } from './texts.js';

/** The buttons beside the codes. */
export const codesScript = readAsset('codes.browser.js', import.meta.url);

/** The authenticator app: set it up, replace it, turn it off; new recovery codes. */
export const authenticatorPage: AccountPage = {
  path: '/ui/account/authenticator',
  section: 'access',
  order: 2,
  title: () => texts.app,
  state: ({ caller }) => texts[caller.isTotpEnabled ? 'on' : 'off'],
  assets: [codesScript],
  content: (visit) => (visit.caller.isTotpEnabled ? inUse(visit) : notInUse(visit)),
  forms: {
    renew: { submits: 'POST /2fa/recovery-codes', next: recoveryCodeList },
    disable: { submits: 'POST /2fa/disable', done: texts.isOff },
  },
};

function notInUse(visit: SignedIn): Html {
  return html`<p>${texts.setUpText}</p>
${setUpLink(visit, 'primary', texts.setUp)}`;
}

async function inUse(visit: SignedIn): Promise<Html> {
  const { services, caller } = visit;
  const left = await services.totp.countRecoveryCodes(caller.user.id);
  return html`<p>${texts.inUse} ${texts.codesLeft} <strong>${left}</strong></p>
${confirmedForm(visit, texts.renewText, { name: 'renew', submit: texts.renew, look: 'primary' })}
${setUpLink(visit, 'plain', texts.replace)}
${confirmedForm(visit, texts.disableText, { name: 'disable', submit: texts.disable })}`;
}

function setUpLink(visit: SignedIn, look: 'primary' | 'plain', label: Text): Html {
  const path = pathTo(visit, '/ui/2fa-setup', { return_to: visit.request.path });
  return html`<a class="button ${look}" href="${path}">${label}</a>`;
}

/** Shown once: the service keeps only their hashes. Where scripts run, they can be copied, saved and printed. */
export function recoveryCodeList(visit: Visit, { body }: Result): Html {
  const { recoveryCodes } = body as { recoveryCodes: string[] };
  const onward = visit.caller ? destinationOf(visit) : pathTo(visit, '/ui/login');
  return html`<p>${texts.recoveryCodes}</p>
<ol class="codes" data-copy="${texts.copy}" data-copied="${texts.copied}" data-save="${texts.save}" data-print="${texts.print}" data-file="${visit.services.config.SERVICE_NAME}-recovery-codes.txt">${recoveryCodes.map((code) => html`<li><code>${code}</code></li>`)}</ol>
<p><a class="button primary" href="${onward}">${texts.onward}</a></p>`;
}
