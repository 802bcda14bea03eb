import { TOTP } from 'otpauth';
import { nativeClient } from '../client.js';
import { challengeOf, passFirstFactor } from '../factor.js';
import type { Flow, MakeFlow } from '../security/flow.js';
import { startTestService, type TestEnvironment } from '../service.js';
import { type SignedIn, signInAs } from '../sign-in-as.js';

/** What an authenticator app shows for a secret now, or `steps` time steps from now. */
export function authenticatorCode(secret: string, steps = 0): string {
  return new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });
}

export interface Enrolled {
  secret: string;
  recoveryCodes: string[];
}

/** Sets up an authenticator app for a signed-in user, as a client does. */
export async function enrolTotp({ client }: SignedIn): Promise<Enrolled> {
  const { body } = await client.post('/2fa/setup');
  const confirmed = await client.post('/2fa/verify-setup', {
    token: authenticatorCode(body.secret),
    secret: body.secret,
  });
  if (confirmed.status !== 200) throw new Error(JSON.stringify(confirmed.body));
  return { secret: body.secret, recoveryCodes: confirmed.body.recoveryCodes };
}

/** A user with an app whose set-up code is one step old, and a first factor passed. */
export async function challenged(variables: TestEnvironment = {}) {
  const service = await startTestService(variables);
  const ada = await signInAs(service, { email: 'ada@example.com' });
  const { secret, recoveryCodes } = await enrolTotp(ada);
  service.advance(60_000);
  const begin = async () => (await passFirstFactor(service, ada.user.id)).tempToken ?? '';
  const client = nativeClient(service);
  const verify = (tempToken: string, totpCode = authenticatorCode(secret)) =>
    client.post('/2fa/verify', { tempToken, totpCode });
  const tempToken = await begin();
  return { service, ada, secret, recoveryCode: recoveryCodes[0], tempToken, begin, verify };
}

/** The set-up has used the code of its moment: the app shows the next one. */
const nextCode = ({ secret }: Enrolled) => authenticatorCode(secret, 1);
const recoveryCode = ({ recoveryCodes }: Enrolled) => recoveryCodes[0] ?? '';

function secondStep(codeOf: (enrolled: Enrolled) => string): Flow {
  const enrolled = new Map<string, Enrolled>();
  return {
    route: 'POST /2fa/verify',
    method: 'totp',
    isSecondStep: true,
    async enrol(_service, person) {
      enrolled.set(person.user.id, await enrolTotp(person));
    },
    async start(service, person, client, token) {
      const tempToken = token ?? (await challengeOf(service, person));
      const secret = codeOf(enrolled.get(person.user.id) ?? { secret: '', recoveryCodes: [] });
      return {
        secret,
        send: (totpCode = secret) => client.post('/2fa/verify', { tempToken, totpCode }),
      };
    },
  };
}

export const totp: MakeFlow[] = [() => secondStep(nextCode), () => secondStep(recoveryCode)];
