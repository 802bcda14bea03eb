import { enrolTotp } from './flows/totp.js';
import { startTestService, type TestEnvironment } from './service.js';
import { type Person, signInAs } from './sign-in-as.js';

const MINUTE = 60_000;

/** A service with a user who is signed in. */
export async function start(variables: TestEnvironment = {}, person: Person = {}) {
  const service = await startTestService(variables);
  return { service, ada: await signInAs(service, { email: 'ada@example.com', ...person }) };
}

/** A user with an app whose set-up code is one step old. */
export async function withApp(variables: TestEnvironment = {}) {
  const service = await startTestService({ ACCESS_TOKEN_TTL: '1h', ...variables });
  const owner = await signInAs(service, { email: 'ada@example.com' });
  const { secret, recoveryCodes } = await enrolTotp(owner);
  service.advance(MINUTE);
  return { service, owner, secret, recoveryCodes };
}
