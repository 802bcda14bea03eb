import { TOTP } from 'otpauth';
import type { SignedIn } from './sign-in-as.js';

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
