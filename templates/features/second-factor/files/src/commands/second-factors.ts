import { resetFactors } from '../features/second-factor/feature.js';
import { accountNamed, print, runCommands } from './command.js';

const USAGE = `Usage: npm run second-factors -- <command>

  reset <email>
      removes the second factors of somebody who has lost them, ends their sessions, and notifies them by mail`;

await runCommands('second-factors', USAGE, {
  async reset({ services, args, commit }) {
    const user = await accountNamed(services, args);
    await commit({ target: user.id }, async (tx, cause) => {
      if (await resetFactors(tx, user, cause)) return true;
      throw new Error(`${user.email} has no second factor.`);
    });
    print(`The second factors of ${user.email} are removed.`);
  },
});
