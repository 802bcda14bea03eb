import { type Html, html } from '../../../http/html.js';
import type { Result } from '../../../http/route.js';
import type { Caller } from '../../../session/authenticate.js';
import type { OwnBrowser } from '../../../session/credentials.js';
import { requireReauthentication } from '../../../session/reauthentication.js';
import { carriedBy } from '../../pages/carried.js';
import { codeField, scriptButton } from '../../pages/field.js';
import { form, linkButton } from '../../pages/form.js';
import { isGuarded } from '../../pages/guard.js';
import { type TextsOf, translator } from '../../pages/language.js';
import { otherWays } from '../../pages/login.js';
import type { Page } from '../../pages/page.js';
import { textOf } from '../../pages/refusal.js';
import { destinationOf, loginPath, pathTo, type Visit } from '../../pages/visit.js';
import { callerOfSetUp, isSettingUp } from '../../second-factor/challenge.js';
import type { totp } from '../feature.js';
import { findPending, setUpOf } from '../set-up.js';

export const t = translator({
  en: { totp: 'Authenticator app' },
  de: {
    totp: 'Authenticator-App',
    'Authenticator app': 'Authenticator-App',
    On: 'An',
    Off: 'Aus',
    'Signing in requires a code from your app.': 'Zur Anmeldung gehört ein Code Ihrer App.',
    'Recovery codes left:': 'Verbleibende Wiederherstellungscodes:',
    'Generate new recovery codes': 'Neue Codes erstellen',
    'Your old recovery codes will no longer work.':
      'Ihre alten Wiederherstellungscodes gelten dann nicht mehr.',
    'Move to another app or phone': 'Auf eine andere App oder ein anderes Telefon umziehen',
    'Turn it off': 'Ausschalten',
    'Signing in will no longer require a code from your app. Your other sessions will end.':
      'Zur Anmeldung gehört dann kein Code Ihrer App mehr. Ihre anderen Sitzungen enden.',
    'Your authenticator app is turned off.': 'Ihre Authenticator-App ist ausgeschaltet.',
    'Save as a file': 'Als Datei speichern',
    Print: 'Drucken',
    'Code from your authenticator app': 'Code Ihrer Authenticator-App',
    'Use a recovery code': 'Wiederherstellungscode verwenden',
    'Each recovery code lets you sign in once.':
      'Mit jedem Wiederherstellungscode können Sie sich einmal anmelden.',
    'Recovery code': 'Wiederherstellungscode',
    'Set up an authenticator app': 'Authenticator-App einrichten',
    'An app on your phone shows a code for each sign-in. If you lose the phone, you sign in with a recovery code.':
      'Eine App auf Ihrem Telefon zeigt für jede Anmeldung einen Code. Geht das Telefon verloren, helfen Wiederherstellungscodes.',
    Begin: 'Beginnen',
    'Scan this code with your authenticator app.':
      'Scannen Sie diesen Code mit Ihrer Authenticator-App.',
    'Open the app on this device': 'App auf diesem Gerät öffnen',
    'QR code of the key below': 'QR-Code des Schlüssels, der darunter steht',
    'If you cannot scan it, type this key into the app:':
      'Wenn Sie ihn nicht scannen können, geben Sie diesen Schlüssel in der App ein:',
    'Your authenticator app is set up.': 'Ihre Authenticator-App ist eingerichtet.',
    'Print or save these recovery codes. Each lets you sign in once if you lose your phone. They are not shown again.':
      'Drucken oder speichern Sie diese Wiederherstellungscodes. Jeder gilt einmal, falls Sie Ihr Telefon verlieren. Sie werden nur jetzt gezeigt.',
    'I have saved them': 'Ich habe sie gespeichert',
    'Sign in with your new app': 'Mit der neuen App anmelden',
    INVALID_TOTP_CODE: 'Der Code ist falsch oder wurde schon benutzt.',
    EMAIL_NOT_VERIFIED: 'Bestätigen Sie zuerst Ihre Adresse.',
  },
} satisfies TextsOf<typeof totp>);

/** Sets up an authenticator app: for a signed-in user, and during a sign-in that requires one. */
export const setUpPage: Page = {
  title: () => t('Set up an authenticator app'),
  elsewhere: async (visit) => ((await callerOf(visit)) ? undefined : loginPath(visit)),
  content: async (visit) => {
    const caller = await callerOf(visit);
    const isBegun = visit.query.has('done') || visit.refusal?.form === 'confirm';
    const pending = isBegun && caller ? await pendingSetUp(visit, caller) : undefined;
    // A reload of the page with the recovery codes, which are shown only once.
    if (isBegun && !pending && visit.caller?.isTotpEnabled) {
      return html`<p class="notice good" role="status">${t('Your authenticator app is set up.')}</p>
${linkButton(pathTo(visit, '/ui/account/authenticator'), t('Authenticator app'))}`;
    }
    const isDemanded = visit.query.has('error') || visit.carried?.bearerToken !== undefined;
    const step = pending
      ? scan(visit, pending)
      : html`${isDemanded && html`<p class="notice">${textOf(visit, { code: '2FA_SETUP_REQUIRED', extra: {} })}</p>`}
<p>${t('An app on your phone shows a code for each sign-in. If you lose the phone, you sign in with a recovery code.')}</p>
${form(visit, { name: 'begin', submit: t('Begin') })}`;
    return html`${step}
${visit.caller ? html`<footer><a href="${visit.services.config.AUTH_PREFIX}/ui/account">${t('Your account')}</a></footer>` : otherWays(visit)}`;
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
async function callerOf({ services, caller, carried }: Visit) {
  return (await callerOfSetUp(services, carried?.bearerToken)) ?? caller;
}

/** The browser of a sign-in that requires a set-up. A cookie that was planted there lacks the guard of its visit. */
export const ownBrowser: OwnBrowser = async (services, request, userId) => {
  const { bearerToken, guard = '' } = carriedBy(services.config, request) ?? {};
  const isOurs = isGuarded(services, request, undefined, guard);
  return isOurs && isSettingUp(services, { ...request, bearerToken }, userId);
};

/**
 * A set-up that is not confirmed yet, so that the page can be reloaded. It requires the same proof as the start:
 * whoever sees the key can confirm it, and then lock the owner out. Throws REAUTHENTICATION_REQUIRED.
 */
async function pendingSetUp({ services }: Visit, caller: Caller) {
  await requireReauthentication(services, caller, 'strong', {});
  const pending = await findPending(services, caller);
  return pending && setUpOf(services, caller.user.email, pending.secret);
}

function scan(visit: Visit, { secret, otpauthUrl, qrCode }: ReturnType<typeof setUpOf>): Html {
  return html`<p>${t('Scan this code with your authenticator app.')} <a href="otpauth:${otpauthUrl.replace(/^otpauth:/, '')}">${t('Open the app on this device')}</a></p>
<img class="scan" src="${qrCode}" alt="${t('QR code of the key below')}">
<p>${t('If you cannot scan it, type this key into the app:')} <span id="key"><code>${secret}</code></span></p>
<div class="acts">${scriptButton('copy', 'key', t('Copy'), t('Copied'))}</div>
${form(visit, { name: 'confirm', fields: [codeField('token', t('Code from your authenticator app'))], hidden: { secret }, submit: t('Confirm') })}`;
}

/** Shown once: the service keeps only their hashes. */
export function recoveryCodeList(visit: Visit, { body }: Result): Html {
  const { recoveryCodes } = body as { recoveryCodes: string[] };
  const onward = visit.caller ? destinationOf(visit) : pathTo(visit, '/ui/login');
  return html`<p>${t('Print or save these recovery codes. Each lets you sign in once if you lose your phone. They are not shown again.')} ${visit.caller && html`<strong>${visit.caller.user.email}</strong>`}</p>
<ol class="codes" id="codes" data-file="${visit.services.config.SERVICE_NAME}-recovery-codes.txt">${recoveryCodes.map((code) => html`<li><code>${code}</code></li>\n`)}</ol>
<div class="acts">${scriptButton('copy', 'codes', t('Copy'), t('Copied'))}${scriptButton('save', 'codes', t('Save as a file'))}${scriptButton('print', 'codes', t('Print'))}</div>
${linkButton(onward, t(visit.caller ? 'I have saved them' : 'Sign in with your new app'))}`;
}
