import type { Person } from '../authorization-server.js';
import { startIssuer } from '../issuer.js';

const HOST = 'https://login.microsoftonline.com';

/** The tenant of personal accounts. */
export const TENANT = '9188040d-6c67-4c5b-b112-36a304b66dad';

/** The endpoint for every tenant. Its document has a placeholder where an ID token's issuer has the tenant. */
export const startMicrosoft = () =>
  startIssuer('microsoft', {
    url: `${HOST}/common/v2.0`,
    metadata: {
      issuer: `${HOST}/{tenantid}/v2.0`,
      token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt'],
    },
    claimsOf: (person) => claimsAt(TENANT, person),
  });

/** What the ID token of a tenant says. No claim says whether anybody has verified the address. */
export function claimsAt(tenant: string, { email, id, name }: Person) {
  return {
    iss: `${HOST}/${tenant}/v2.0`,
    tid: tenant,
    oid: `00000000-0000-0000-0000-00000000000${id}`,
    ver: '2.0',
    name,
    preferred_username: email,
    email,
  };
}
