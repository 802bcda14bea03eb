import { expect, test } from 'vitest';
import { enrolTotp } from '../../../test/authenticator.js';
import { nativeClient } from '../../../test/client.js';
import { firstFactors, secondFactorsInTests } from '../../../test/factors.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';
import { secondFactors } from '../../second-factors.js';

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

test('each second factor is in the table', () => {
  const tried = Promise.all(secondFactorsInTests.map(async ([, start]) => (await start()).method));
  return expect(tried).resolves.toEqual(
    expect.arrayContaining(secondFactors.map(({ name }) => name)),
  );
});
