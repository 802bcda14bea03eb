import { valuesIn } from '../features/data-key/feature.js';
import { countValues, resealAll } from '../features/data-key/sealed-columns.js';
import { print, runCommands } from './command.js';

const USAGE = `Usage: npm run keys -- <command>

  reseal
      seals every stored secret with the first key of DATA_KEY; afterwards the other keys can be removed`;

await runCommands('keys', USAGE, {
  async reseal({ services, commit }) {
    const resealed = await resealAll(services);
    await commit({ target: null, details: { resealed } }, async () => resealed > 0);
    print(`Resealed: ${resealed}.`);
    const { ofKeys, unopened } = await countValues(services);
    const left = ofKeys.slice(1).reduce((sum, count) => sum + count, 0);
    if (left > 0) {
      throw new Error(
        `Values sealed with an older key in the meantime: ${left}. Run the command again.`,
      );
    }
    if (unopened > 0) {
      throw new Error(
        `No key of DATA_KEY opens ${valuesIn(unopened)}: restore the key that was removed.`,
      );
    }
    if (ofKeys.length > 1) print('Only the first key of DATA_KEY is needed now.');
  },
});
