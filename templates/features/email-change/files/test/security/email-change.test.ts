import { expect, test } from 'vitest';
import { browser } from '../client.js';
import { atLastStep, outcomeOf, startWithFlows } from './flow.js';

const CHANGE = 'POST /change-email/confirm';

test('F-04 CVE-2026-37982 class refused: a mailed link is void once it was used, or the account has moved', async () => {
  const { service, flows } = await startWithFlows();
  const change = flows.find(({ route }) => route === CHANGE);
  for (const flow of flows) {
    const { person, secret = '', send } = await atLastStep(service, flow);
    const isMailed = /^[0-9a-f]{64}$/.test(secret);
    if (!isMailed || flow.isRepeatable || flow.isSecondStep) continue;
    const moved =
      flow === change ? send : (await change?.start(service, person, browser(service)))?.send;
    expect([flow.route, moved && outcomeOf(await moved())]).toEqual([flow.route, 'done']);
    expect([flow.route, outcomeOf(await send())]).toEqual([flow.route, 'refused']);
  }
});
