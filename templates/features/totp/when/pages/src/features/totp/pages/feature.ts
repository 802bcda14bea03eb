import type { FeatureParts } from '../../../feature.js';
import { type Html, html, type Text } from '../../../http/html.js';
import { codeField } from '../../pages/field.js';
import { confirmedForm } from '../../pages/form.js';
import { redirectAfterSignIn } from '../../pages/login.js';
import { carryTo, pathWith, type SignedIn } from '../../pages/visit.js';
import { METHOD } from '../codes.js';
import { ownBrowser, recoveryCodeList, setUpPage, t } from './set-up.js';

export const totpPages: FeatureParts = {
  texts: t.texts,
  ownBrowser,
  proofField: codeField('code', t('Code from your authenticator app')),
  signInWay: {
    name: METHOD,
    label: t('Continue'),
    isSecondStep: true,
    fields: [codeField('totpCode', t('Code from your authenticator app'))],
    // A form of its own, since recovery codes contain letters: a numeric keyboard would not do.
    fallback: {
      name: 'recovery',
      label: t('Use a recovery code'),
      hint: t('Each recovery code lets you sign in once.'),
      fields: [{ name: 'totpCode', label: t('Recovery code') }],
    },
    form: {
      submits: 'POST /2fa/verify',
      beside: { INVALID_TOTP_CODE: 'totpCode' },
      next: redirectAfterSignIn,
    },
  },
  pages: { '/ui/2fa-setup': setUpPage },
  accountPages: {
    // The authenticator app: set it up, replace it, turn it off; new recovery codes.
    '/ui/account/authenticator': {
      section: 'access',
      order: 2,
      title: () => t('Authenticator app'),
      state: ({ caller }) => t(caller.isTotpEnabled ? 'On' : 'Off'),
      content: (visit) => (visit.caller.isTotpEnabled ? inUse(visit) : notInUse(visit)),
      forms: {
        renew: { submits: 'POST /2fa/recovery-codes', next: recoveryCodeList },
        disable: { submits: 'POST /2fa/disable', done: t('Your authenticator app is turned off.') },
      },
    },
  },
};

function notInUse(visit: SignedIn): Html {
  return html`<p>${t('An app on your phone shows a code for each sign-in. If you lose the phone, you sign in with a recovery code.')}</p>
${setUpLink(visit, 'primary', t('Set up an authenticator app'))}`;
}

async function inUse(visit: SignedIn): Promise<Html> {
  const { services, caller } = visit;
  const left = await services.totp.countRecoveryCodes(caller.user.id);
  return html`<p>${t('Signing in requires a code from your app.')} ${t('Recovery codes left:')} <strong>${left}</strong></p>
${confirmedForm(visit, t('Your old recovery codes will no longer work.'), { name: 'renew', submit: t('Generate new recovery codes'), look: 'primary' })}
${setUpLink(visit, 'plain', t('Move to another app or phone'))}
${confirmedForm(visit, t('Signing in will no longer require a code from your app. Your other sessions will end.'), { name: 'disable', submit: t('Turn it off') })}`;
}

function setUpLink(visit: SignedIn, look: 'primary' | 'plain', label: Text): Html {
  // Of a set-up that somebody else began in this browser nothing is left.
  const path = pathWith(carryTo(visit, '/ui/2fa-setup'), { return_to: visit.request.path });
  return html`<a class="button ${look}" href="${path}">${label}</a>`;
}
