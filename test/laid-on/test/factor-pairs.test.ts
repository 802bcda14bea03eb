import { expect, test } from 'vitest';
import { LINK_METHOD } from '../src/features/account-linking/sign-in-method.js';
import { METHOD as MAGICLINK_METHOD } from '../src/features/magic-link/link.js';
import { hashPassword } from '../src/features/password/password.js';
import { METHOD as SMS_METHOD } from '../src/features/sms/login.js';
import { randomId } from '../src/process/random.js';
import { authenticatorCode, type Enrolled, enrolTotp } from './authenticator.js';
import { type Answer, browser, nativeClient } from './client.js';
import { linkTokenTo } from './linking.js';
import { linkTokenIn, requestMagicLink } from './magic-link.js';
import type { StartCounterpart } from './oauth/authorization-server.js';
import { counterparts } from './oauth/counterparts.js';
import { signInAt } from './oauth/sign-in-at.js';
import { phonesOf, startSmsSink, verifyPhone } from './phone.js';
import { startTestService, type TestEnvironment, type TestService } from './service.js';
import { type SignedIn, signInAs } from './sign-in-as.js';

/** A factor as people use it: all of its steps go through the service's routes. */
interface Factor {
  /** What the service must be started with. */
  variables: TestEnvironment;
  /** Gives a signed-in user what the factor needs. */
  enrol(service: TestService, person: SignedIn): Promise<void>;
}

/** What a first step brings that is not enough. */
interface Challenge {
  tempToken: string;
  available2faMethods: string[];
}

/** A way to begin a sign-in. */
interface FirstFactor extends Factor {
  /** How sessions and challenges name it. */
  method: string;
  /** Takes the first step. Throws if it brings anything but a challenge. */
  begin(service: TestService, person: SignedIn): Promise<Challenge>;
}

/** A way to finish it. */
interface SecondFactor extends Factor {
  /** How challenges name it. */
  method: string;
  finish(service: TestService, person: SignedIn, tempToken: string): Promise<Answer>;
}

/** What a feature brings to the table of pairs, by the name that the tests show. */
interface Factors {
  first?: Record<string, () => Promise<FirstFactor>>;
  second?: Record<string, () => Promise<SecondFactor>>;
}

/** The challenge in an answer. Throws if it is another answer, or a session came with it. */
function challengeOf({ status, body, setCookies }: Answer): Challenge {
  const { requiresTwoFactor, tempToken, available2faMethods } = body;
  const isAlone = Object.keys(body).length === 3 && setCookies.every(({ maxAge }) => maxAge === 0);
  if (status !== 200 || requiresTwoFactor !== true || !isAlone) {
    throw new Error(`No challenge: ${status} ${JSON.stringify(body)}`);
  }
  return { tempToken, available2faMethods };
}

const accountLinkingTestFactors: Factors = {
  first: {
    'the link that links an account': async () => ({
      method: LINK_METHOD,
      variables: {},
      async enrol() {},
      async begin(service, { client }) {
        const email = `${randomId()}@example.com`;
        await client.post('/link-request', { email });
        const token = await linkTokenTo(service, email);
        return challengeOf(
          await nativeClient(service).post('/link-verify', { token, loginAfterLinking: true }),
        );
      },
    }),
  },
};

/** A link is a second factor only for an address that is verified. */
async function verifyAddress({ services }: TestService, { user }: SignedIn): Promise<void> {
  await services.users.markEmailVerified(user.id);
}

const magicLinkTestFactors: Factors = {
  first: {
    'a mailed link': async () => ({
      method: MAGICLINK_METHOD,
      variables: {},
      enrol: verifyAddress,
      async begin(service, { user }) {
        const token = await requestMagicLink(service, user.email);
        return challengeOf(await nativeClient(service).post('/magic-link/verify', { token }));
      },
    }),
  },
  second: {
    'a mailed link': async () => ({
      method: MAGICLINK_METHOD,
      variables: {},
      enrol: verifyAddress,
      async finish(service, _person, tempToken) {
        const client = nativeClient(service);
        // A mail of an earlier step must not come after the link.
        await service.idle();
        await client.post('/magic-link/send', { mode: '2fa', tempToken });
        const token = linkTokenIn((await service.mails()).at(-1));
        return client.post('/magic-link/verify', { mode: '2fa', tempToken, token });
      },
    }),
  },
};

/** The challenge comes in the fragment of the page that the browser is sent to. */
function oauthFirstFactor(start: StartCounterpart): () => Promise<FirstFactor> {
  return async () => {
    const counterpart = await start();
    return {
      method: counterpart.name,
      variables: counterpart.variables,
      async enrol(service, { user }) {
        const { email } = user;
        counterpart.person = { ...counterpart.person, email, isEmailVerified: true };
        await service.services.users.markEmailVerified(user.id);
      },
      async begin(service) {
        const client = browser(service);
        const { page } = await signInAt(service, counterpart, client);
        const fragment = new URLSearchParams(page.hash.slice(1));
        const tempToken = fragment.get('tempToken');
        if (page.pathname !== '/2fa' || tempToken === null || client.cookies.has('accessToken')) {
          throw new Error(`No challenge: ${page.pathname}`);
        }
        return { tempToken, available2faMethods: fragment.get('methods')?.split(',') ?? [] };
      },
    };
  };
}

const oauthTestFactors: Factors = {
  first: Object.fromEntries(
    counterparts.map(([name, start]) => [
      `${name.replace(/^start/, '')}, a provider`,
      oauthFirstFactor(start),
    ]),
  ),
};

const password = 'correct horse battery staple';

const passwordTestFactors: Factors = {
  first: {
    password: async () => ({
      method: 'local',
      variables: {},
      async enrol({ services }, { user }) {
        await services.password.save(user.id, await hashPassword(password, 4));
      },
      async begin(service, { user }) {
        return challengeOf(
          await nativeClient(service).post('/login', { email: user.email, password }),
        );
      },
    }),
  },
};

async function smsStartTexting() {
  const sink = await startSmsSink();
  return {
    sink,
    method: SMS_METHOD,
    variables: sink.environment,
    async enrol(service: TestService, person: SignedIn) {
      await verifyPhone(phonesOf(service, sink), person);
    },
  };
}

const smsTestFactors: Factors = {
  first: {
    'a texted code': async () => {
      const { sink, ...factor } = await smsStartTexting();
      return {
        ...factor,
        async begin(service, { user }) {
          const client = nativeClient(service);
          await client.post('/sms/send', { email: user.email });
          const code = await phonesOf(service, sink).lastCode();
          return challengeOf(await client.post('/sms/verify', { email: user.email, code }));
        },
      };
    },
  },
  second: {
    'a texted code': async () => {
      const { sink, ...factor } = await smsStartTexting();
      return {
        ...factor,
        async finish(service, _person, tempToken) {
          const client = nativeClient(service);
          await client.post('/sms/send', { mode: '2fa', tempToken });
          const code = await phonesOf(service, sink).lastCode();
          return client.post('/sms/verify', { mode: '2fa', tempToken, code });
        },
      };
    },
  },
};

/** An app that was set up a minute ago: the code of that moment has been used. */
function totpFactor(
  codeOf: (enrolled: Enrolled) => string | undefined,
): () => Promise<SecondFactor> {
  return async () => {
    let enrolled: Enrolled = { secret: '', recoveryCodes: [] };
    return {
      method: 'totp',
      variables: {},
      async enrol(service, person) {
        enrolled = await enrolTotp(person);
        service.advance(60_000);
      },
      finish: (service, _person, tempToken) =>
        nativeClient(service).post('/2fa/verify', { tempToken, totpCode: codeOf(enrolled) }),
    };
  };
}

const totpTestFactors: Factors = {
  second: {
    'the code of an app': totpFactor(({ secret }) => authenticatorCode(secret)),
    'a recovery code': totpFactor(({ recoveryCodes }) => recoveryCodes[0]),
  },
};

const byFeature: Factors[] = [
  accountLinkingTestFactors,
  magicLinkTestFactors,
  oauthTestFactors,
  passwordTestFactors,
  smsTestFactors,
  totpTestFactors,
];
const firstFactors = byFeature.flatMap(({ first = {} }) => Object.entries(first));
const secondFactorsInTests = byFeature.flatMap(({ second = {} }) => Object.entries(second));

const pairs = firstFactors.flatMap(([first, startFirst]) =>
  secondFactorsInTests
    .filter(([second]) => second !== first)
    .map(([second, startSecond]) => ({ first, second, startFirst, startSecond })),
);

test.each(pairs)('$first, then $second', async ({ startFirst, startSecond }) => {
  const [first, second] = [await startFirst(), await startSecond()];
  const service = await startTestService({ ...first.variables, ...second.variables });
  const ada = await signInAs(service);
  await first.enrol(service, ada);
  await second.enrol(service, ada);
  // Who has an app is always asked for another factor: its code, or what else they have.
  if (second.method !== 'totp') await enrolTotp(ada);

  const { tempToken, available2faMethods } = await first.begin(service, ada);
  const isSameFactor = first.method === second.method;
  expect(available2faMethods).not.toContain(first.method);
  expect(available2faMethods.includes(second.method)).toBe(!isSameFactor);
  expect((await nativeClient(service, tempToken).get('/me')).status).toBe(401);

  const finished = await second.finish(service, ada, tempToken).catch(() => undefined);
  expect(finished?.status === 200, 'a factor does not count twice').toBe(!isSameFactor);
  if (isSameFactor) return;
  const me = await nativeClient(service, finished?.body.accessToken).get('/me');
  expect(me.body.sub).toBe(ada.user.id);
  const again = await second.finish(service, ada, tempToken).catch(() => undefined);
  expect(again?.status, 'the first step opens one session').not.toBe(200);
});

test('each second factor is in the table', async () => {
  const { services } = await startTestService();
  const names = services.features.flatMap(({ secondFactor }) => secondFactor?.name ?? []);
  const tried = Promise.all(secondFactorsInTests.map(async ([, start]) => (await start()).method));
  return expect(tried).resolves.toEqual(expect.arrayContaining(names));
});
