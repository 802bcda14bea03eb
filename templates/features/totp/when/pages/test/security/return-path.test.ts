import { expect, test } from 'vitest';
import { carry } from '../../src/features/pages/carried.js';
import { challengeOf } from '../factor.js';
import { enrolTotp } from '../flows/totp.js';
import { type SignedIn, signInAs } from '../sign-in-as.js';
import { visitor } from '../visitor.js';
import { startWithFlows } from './flow.js';

const HOME = '/auth/ui/account';
const SECOND_STEP = '/auth/ui/2fa';

test('F-36 pgAdmin CVE-2026-12049 class refused: the return path is checked before the second step, and again after it', async () => {
  const { service, flows } = await startWithFlows({ APP_URL: '' });
  const login = flows.find(({ route }) => route === 'POST /login');

  /** A user who has completed the first step on the sign-in page, opened with `query`. */
  async function byLoginPage(ada: SignedIn, query: string) {
    const person = visitor(service);
    await person.open(`/auth/ui/login?${query}`);
    const secret = (await login?.start(service, ada, ada.client))?.secret ?? '';
    const page = await person.submit('password', { email: ada.user.email, password: secret });
    return { person, page };
  }

  /** A user who has completed the first step, with the URL of the second changed. */
  async function bySecondStep(ada: SignedIn, query: string) {
    const person = visitor(service);
    const tempToken = await challengeOf(service, ada);
    const { value } = carry(service.config, SECOND_STEP, { tempToken });
    person.cookies.set(`carried ${SECOND_STEP}`, value);
    return { person, page: await person.open(`${SECOND_STEP}?${query}`) };
  }

  for (const [returnTo = '', end] of [
    ['/auth/ui/sign-out', '/auth/ui/sign-out'],
    ['https://evil.test/', HOME],
    ['//evil.test', HOME],
    ['/\\evil.test', HOME],
    ['/a//evil.test', HOME],
    ['/\t/evil.test', HOME],
    ['javascript:alert(1)', HOME],
    ['', HOME],
  ]) {
    for (const arrive of login ? [byLoginPage, bySecondStep] : [bySecondStep]) {
      const ada = await signInAs(service);
      await login?.enrol?.(service, ada);
      const { recoveryCodes } = await enrolTotp(ada);
      const { person, page } = await arrive(ada, `${new URLSearchParams({ return_to: returnTo })}`);
      const kept = end === HOME ? '' : `?${new URLSearchParams({ return_to: returnTo })}`;
      if (arrive === byLoginPage)
        expect([returnTo, page.path]).toEqual([returnTo, SECOND_STEP + kept]);
      const last = await person.submit('totp', { totpCode: recoveryCodes[0] ?? '' });
      expect([returnTo, last.status, last.path]).toEqual([returnTo, 200, end]);
    }
  }
});
