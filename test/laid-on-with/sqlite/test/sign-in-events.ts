import type { EventName } from '../src/events/bus.js';
import { nativeClient } from './client.js';
import { passFirstFactor } from './factor.js';
import { requestMagicLink } from './flows/magic-link.js';
import { createAccount, signInAt, startServiceWith } from './flows/oauth.js';
import {
  createPasswordAccount,
  requestResetToken,
  resetPassword,
  signInWithPassword,
} from './flows/password.js';
import { requestTextedCode, signInWithPhone, startTextingService } from './flows/sms.js';
import { enrolTotp } from './flows/totp.js';
import { counterparts } from './oauth/counterparts.js';
import { startTestService, type TestService } from './service.js';
import { signInAs } from './sign-in-as.js';

/** Starts a service and triggers something over HTTP, or if no route does it, as a timer or a command would. */
export type EventCase = () => Promise<TestService>;

/** What triggers each event, in the words of the table in the docs. */
export type EventCases = { [Name in EventName]?: Record<string, EventCase> };

/** A credential that nobody has. */
export function madeUp(path: string, credential: object = { token: 'f'.repeat(64) }): EventCase {
  return async () => {
    const service = await startTestService();
    await nativeClient(service).post(path, credential);
    return service;
  };
}

const magicLinkSignIn: EventCase = async () => {
  const service = await startTestService();
  const { user } = await signInAs(service, { isEmailProven: false });
  const token = await requestMagicLink(service, user.email);
  await nativeClient(service).post('/magic-link/verify', { token });
  return service;
};

const magicLinkTestEvents: EventCases = {
  'identity.session.created': { 'POST /magic-link/verify': magicLinkSignIn },
  'identity.auth.login.success': { 'POST /magic-link/verify': magicLinkSignIn },
  'identity.user.email.verified': { 'POST /magic-link/verify': magicLinkSignIn },
  'identity.auth.login.failed': {
    'POST /magic-link/verify': madeUp('/magic-link/verify'),
  },
};

/** The first provider of this service, and the service. */
async function oauthStart() {
  const [first] = counterparts;
  if (!first) throw new Error('There is no provider.');
  return startServiceWith(first[1]);
}

const oauthSignIn: EventCase = async () => {
  const { service, counterpart } = await oauthStart();
  await signInAt(service, counterpart);
  return service;
};

const OAUTH_CALLBACK = 'GET /oauth/{provider}/callback';

const oauthTestEvents: EventCases = {
  'identity.session.created': { [OAUTH_CALLBACK]: oauthSignIn },
  'identity.auth.login.success': { [OAUTH_CALLBACK]: oauthSignIn },
  'identity.user.created': { [OAUTH_CALLBACK]: oauthSignIn },
  'identity.auth.oauth.success': { [OAUTH_CALLBACK]: oauthSignIn },
  'identity.auth.login.failed': {
    [OAUTH_CALLBACK]: async () => {
      const { service, counterpart } = await oauthStart();
      await nativeClient(service).get(`/oauth/${counterpart.name}/callback?state=made-up`);
      return service;
    },
  },
  'identity.auth.oauth.conflict': {
    [OAUTH_CALLBACK]: async () => {
      const { service, counterpart } = await oauthStart();
      const email = 'unproven@example.com';
      await createAccount(service, email, false);
      counterpart.person = { ...counterpart.person, email, isEmailVerified: true };
      await signInAt(service, counterpart);
      return service;
    },
  },
};

const passwordSignIn: EventCase = async () => {
  const service = await startTestService();
  await signInWithPassword(service, await createPasswordAccount(service));
  return service;
};

const passwordReset: EventCase = async () => {
  const service = await startTestService();
  const { email } = await createPasswordAccount(service, { isEmailProven: false });
  await resetPassword(service, await requestResetToken(service, email));
  return service;
};

const passwordTestEvents: EventCases = {
  'identity.session.created': { 'POST /login': passwordSignIn },
  'identity.auth.login.success': { 'POST /login': passwordSignIn },
  'identity.auth.login.failed': {
    'POST /login': madeUp('/login', { email: 'nobody@example.com', password: 'x' }),
  },
  'identity.user.email.verified': { 'POST /reset-password': passwordReset },
  'identity.user.password.changed': {
    'POST /change-password': async () => {
      const service = await startTestService();
      const account = await createPasswordAccount(service);
      const client = await signInWithPassword(service, account);
      const newPassword = 'a password that is new';
      await client.post('/change-password', { currentPassword: account.password, newPassword });
      return service;
    },
    'POST /reset-password': passwordReset,
  },
};

const smsSignIn: EventCase = async () => {
  const phones = await startTextingService();
  const { email } = (await signInWithPhone(phones)).user;
  const code = await requestTextedCode(phones, email);
  await nativeClient(phones.service).post('/sms/verify', { email, code });
  return phones.service;
};

const smsTestEvents: EventCases = {
  'identity.session.created': { 'POST /sms/verify': smsSignIn },
  'identity.auth.login.success': { 'POST /sms/verify': smsSignIn },
  'identity.auth.login.failed': {
    'POST /sms/verify': async () => {
      const phones = await startTextingService();
      const { email } = (await signInWithPhone(phones)).user;
      await requestTextedCode(phones, email);
      const code = await phones.wrongCode();
      await nativeClient(phones.service).post('/sms/verify', { email, code });
      return phones.service;
    },
  },
};

async function totpStartEnrolled() {
  const service = await startTestService();
  const ada = await signInAs(service);
  await signInAs(service, { email: ada.user.email });
  return { service, ada, ...(await enrolTotp(ada)) };
}

const totpSetUp: EventCase = async () => (await totpStartEnrolled()).service;

const totpSignIn: EventCase = async () => {
  const { service, ada, recoveryCodes } = await totpStartEnrolled();
  const { tempToken } = await passFirstFactor(service, ada.user.id);
  await nativeClient(service).post('/2fa/verify', { tempToken, totpCode: recoveryCodes[0] });
  return service;
};

const totpTestEvents: EventCases = {
  'identity.session.created': { 'POST /2fa/verify': totpSignIn },
  'identity.auth.login.success': { 'POST /2fa/verify': totpSignIn },
  'identity.auth.login.failed': {
    'POST /2fa/verify': async () => {
      const { service, ada } = await totpStartEnrolled();
      const { tempToken } = await passFirstFactor(service, ada.user.id);
      await nativeClient(service).post('/2fa/verify', { tempToken, totpCode: 'wrong' });
      return service;
    },
  },
  'identity.session.revoked': { 'POST /2fa/verify-setup': totpSetUp },
  'identity.user.2fa.enabled': { 'POST /2fa/verify-setup': totpSetUp },
  'identity.user.2fa.disabled': {
    'POST /2fa/disable': async () => {
      const { service, ada } = await totpStartEnrolled();
      await ada.client.post('/2fa/disable');
      return service;
    },
  },
};

/** Of every method. */
export const signInEvents = [
  magicLinkTestEvents,
  oauthTestEvents,
  passwordTestEvents,
  smsTestEvents,
  totpTestEvents,
];
