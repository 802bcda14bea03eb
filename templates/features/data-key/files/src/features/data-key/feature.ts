import { defineFeature, type Finding } from '../../feature.js';
import { secretList } from '../../process/environment.js';
import { countValues } from './sealed-columns.js';

export const dataKey = defineFeature({
  variables: {
    /** Not one of the keys that sign tokens: those change at will, while this one is kept for years. */
    DATA_KEY: secretList(),
  },
  async findings(connection): Promise<Finding[]> {
    const { ofKeys, unopened } = await countValues(connection);
    const about = 'keys';
    const found = ofKeys.map((count, index): Finding => {
      const next = index > 0 && count > 0 ? ': npm run keys -- reseal' : '';
      const message = `Key ${index + 1} of DATA_KEY has sealed ${valuesIn(count)}${next}.`;
      return { about, stops: false, message };
    });
    if (unopened === 0) return found;
    const message = `No key of DATA_KEY opens ${valuesIn(unopened)}: restore the key that was removed.`;
    return [...found, { about, stops: false, isWarning: true, message }];
  },
});

export function valuesIn(count: number): string {
  return count === 1 ? '1 value' : `${count} values`;
}
