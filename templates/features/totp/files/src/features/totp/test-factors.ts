import { authenticatorCode, type Enrolled, enrolTotp } from '../../../test/authenticator.js';
import { nativeClient } from '../../../test/client.js';
import type { Factors, SecondFactor } from '../../../test/factor.js';

/** An app that was set up a minute ago: the code of that moment has been used. */
function factor(codeOf: (enrolled: Enrolled) => string | undefined): () => Promise<SecondFactor> {
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

export const totpTestFactors: Factors = {
  second: {
    'the code of an app': factor(({ secret }) => authenticatorCode(secret)),
    'a recovery code': factor(({ recoveryCodes }) => recoveryCodes[0]),
  },
};
