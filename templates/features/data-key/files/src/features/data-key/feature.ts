import type { ConfigCheck } from '../../config.js';
import { defineFeature, type Finding } from '../../feature.js';
import { isWeakSecret, secretList } from '../../process/secrets.js';
import { countValues } from './sealed-columns.js';

/** DATA_KEY must not be the key that signs tokens: it is kept for years, while signing keys change at will. */
const configCheck: ConfigCheck = (config) => {
  const { ACCESS_TOKEN_SECRET = [], DATA_KEY = [], REFRESH_TOKEN_SECRET = [] } = config;
  const others = [...ACCESS_TOKEN_SECRET, ...REFRESH_TOKEN_SECRET];
  if (new Set(DATA_KEY).size < DATA_KEY.length || DATA_KEY.some((key) => others.includes(key))) {
    return 'DATA_KEY must have nothing in common with the token secrets, nor repeat itself';
  }
  if (!config.isProduction || !DATA_KEY.some(isWeakSecret)) return undefined;
  return 'DATA_KEY must be random in production (openssl rand -hex 32)';
};

export const dataKey = defineFeature({
  variables: {
    DATA_KEY: secretList(),
  },
  configCheck,
  async findings(connection, features): Promise<Finding[]> {
    const { ofKeys, unopened } = await countValues(connection, features);
    const about = 'keys';
    const found = ofKeys.map((count, index): Finding => {
      const next = index > 0 && count > 0 ? ': npm run keys -- reseal' : '';
      const message = `Key ${index + 1} of DATA_KEY has sealed ${valuesIn(count)}${next}.`;
      return { about, stops: false, message };
    });
    if (unopened === 0) return found;
    const message = `No key of DATA_KEY opens ${valuesIn(unopened)}: put the key that sealed them back.`;
    return [...found, { about, stops: false, isWarning: true, message }];
  },
});

function valuesIn(count: number): string {
  return count === 1 ? '1 value' : `${count} values`;
}
