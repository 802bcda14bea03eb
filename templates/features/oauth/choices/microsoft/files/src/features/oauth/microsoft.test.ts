import { expect, test } from 'vitest';
import { browser } from '../../../test/client.js';
import { begin, createAccount, signInAt, startServiceWith } from '../../../test/flows/oauth.js';
import type { Person } from '../../../test/oauth/authorization-server.js';
import { claimsAt, startMicrosoft, TENANT } from '../../../test/oauth/counterparts/microsoft.js';

const ADA: Person = { id: '1', email: 'ada@example.com', name: 'Ada' };
const COMPANY = '72f988bf-86f1-41af-91ab-2d7cd011db47';

test('accounts of every tenant sign in, each known by its tenant and its id there', async () => {
  const { service, counterpart } = await startServiceWith(startMicrosoft);
  const location = await begin(browser(service), counterpart);
  expect(new URL(location).searchParams.get('scope')).toBe('openid email profile');

  const { client: personal } = await signInAt(service, counterpart);
  counterpart.faults.claims = claimsAt(COMPANY, { ...ADA, email: 'ada@company.example' });
  const { client: atWork } = await signInAt(service, counterpart);

  expect((await personal.get('/linked-accounts')).body.linkedAccounts).toMatchObject([
    { providerAccountId: `${TENANT}.1`, email: 'ada@example.com', name: 'Ada' },
  ]);
  expect((await atWork.get('/linked-accounts')).body.linkedAccounts).toMatchObject([
    { providerAccountId: `${COMPANY}.1`, email: 'ada@company.example' },
  ]);
});

test.each([
  ['email_verified', { email_verified: true }],
  ['xms_edov', { xms_edov: true }],
])(
  'attack: an address that a tenant claims, %s too, opens no account (nOAuth)',
  async (_name, claims) => {
    const { service, counterpart } = await startServiceWith(startMicrosoft);
    await createAccount(service, 'ada@example.com', true);
    counterpart.faults.claims = { ...claimsAt(COMPANY, ADA), ...claims };

    const { client, page } = await signInAt(service, counterpart);

    expect(page.pathname).toBe('/account-conflict');
    expect((await client.get('/me')).status).toBe(401);
  },
);

test.each([
  ['another tenant than its issuer', { ...claimsAt(COMPANY, ADA), tid: TENANT }],
  ['no tenant', { tid: undefined }],
  ['an issuer elsewhere', { iss: `https://evil.test/${TENANT}/v2.0` }],
  [
    'a tenant that leads elsewhere',
    { tid: '../evil', iss: 'https://login.microsoftonline.com/../evil/v2.0' },
  ],
])('attack: an ID token with %s is refused', async (_kind, claims) => {
  const { service, counterpart } = await startServiceWith(startMicrosoft);
  counterpart.faults.claims = claims;

  const { page } = await signInAt(service, counterpart);

  expect(page.href).toBe('http://app.test/login?error=OAUTH_FAILED');
  expect(await service.services.users.list({ limit: 1, offset: 0 })).toEqual([]);
});
