import { expect, test } from 'vitest';
import { type Answer, browser, nativeClient } from '../client.js';
import { enrolTotp } from '../flows/totp.js';
import { signInAs } from '../sign-in-as.js';
import { isWayIn, outcomeOf, startWithFlows } from './flow.js';

/** The challenge in a response, or in the fragment of the page that it redirects to. */
function challengeIn({ body, headers }: Answer): { tempToken: string; methods: string[] } {
  const [, fragment = ''] = headers.get('location')?.split('#') ?? [];
  const { tempToken = '', methods = '' } = Object.fromEntries(new URLSearchParams(fragment));
  return {
    tempToken: body?.tempToken ?? tempToken,
    methods: body?.available2faMethods ?? methods.split(','),
  };
}

test('F-01 better-auth #9205 #11287 class refused: no way in gives a session before the second factor', async () => {
  const { service, flows } = await startWithFlows();
  const { features, settings } = service.services;
  const secondSteps = flows.filter(({ isSecondStep }) => isSecondStep);
  const names = features.flatMap(({ factor }) => factor?.name ?? []);
  expect(secondSteps.map(({ method }) => method)).toEqual(expect.arrayContaining(names));
  await settings.set('require2FA', true);

  for (const first of flows.filter(isWayIn)) {
    for (const second of secondSteps) {
      const pair = `${first.route}, then ${second.route} by ${second.method}`;
      const [client, person] = [browser(service), await signInAs(service)];
      await first.enrol?.(service, person);
      await second.enrol?.(service, person);
      const isSame = first.method === second.method;
      // A factor that does not count twice must not be the only one.
      if (isSame) await enrolTotp(person);

      const answer = await (await first.start(service, person, client)).send();
      expect([pair, outcomeOf(answer)]).toEqual([pair, 'challenge']);
      const { tempToken, methods } = challengeIn(answer);
      expect((await client.get('/me')).status).toBe(401);
      expect((await nativeClient(service, tempToken).get('/me')).status).toBe(401);
      expect(methods).not.toContain(first.method);
      expect([pair, methods.includes(String(second.method))]).toEqual([pair, !isSame]);

      const last = await second.start(service, person, client, tempToken).catch(() => undefined);
      const outcome = last ? outcomeOf(await last.send()) : 'refused';
      expect([pair, outcome]).toEqual([pair, isSame ? 'refused' : 'session']);
    }
  }
});
