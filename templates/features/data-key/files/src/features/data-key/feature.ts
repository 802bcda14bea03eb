import { defineFeature, type Finding } from '../../feature.js';
import { secretList } from '../../process/environment.js';
import { countValues } from './sealed-columns.js';

export const dataKey = defineFeature({
  variables: {
    /** No key that signs tokens: it is kept for years, while signing keys change at will. */
    DATA_KEY: secretList(),
  },
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
