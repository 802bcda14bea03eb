import type { Check } from '../../environment/checks.js';
import { providers } from './providers.js';

/** Over plain http anybody on the way could sign in as anybody. */
export const oauthConfigCheck: Check = (config) => {
  if (!config.isProduction) return undefined;
  const plain = Object.values(providers)
    .map(({ urlVariable }) => urlVariable)
    .filter((name) => String(config[name]).startsWith('http:'));
  return plain.length === 0 ? undefined : `${plain.join(' and ')} must be https in production`;
};
