import { expect, test } from 'vitest';
import { enrolTotp } from '../../../test/authenticator.js';
import { passFirstFactor } from '../../../test/first-factor.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';
import { secondFactors } from '../../second-factors.js';

const known = secondFactors.map(({ name }) => name);
/** What can only be a first factor, and what can be either. */
const FIRST_FACTORS = ['local', ...known.filter((name) => name !== 'totp')];

test.each(FIRST_FACTORS)('whoever signs in by %s is asked for another factor', async (method) => {
  const service = await startTestService();
  const ada = await signInAs(service);
  await service.services.users.markEmailVerified(ada.user.id);
  await enrolTotp(ada);
  const answer = await passFirstFactor(service, ada.user.id, method);
  expect(answer).not.toHaveProperty('accessToken');
  expect(answer.requiresTwoFactor).toBe(true);
  expect(answer.available2faMethods).toContain('totp');
  expect(answer.available2faMethods, 'a factor does not count twice').not.toContain(method);
  expect(known).toEqual(expect.arrayContaining(answer.available2faMethods as string[]));
});
