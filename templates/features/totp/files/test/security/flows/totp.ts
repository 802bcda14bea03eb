import { authenticatorCode, type Enrolled, enrolTotp } from '../../authenticator.js';
import { challengeOf } from '../../factor.js';
import type { Flow, MakeFlow } from '../flow.js';

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
