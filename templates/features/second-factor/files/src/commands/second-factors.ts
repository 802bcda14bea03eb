import { resetFactors } from '../features/second-factor/feature.js';
import { accountNamed, print, runCommands } from './command.js';

const USAGE = `Usage: npm run second-factors -- <command>

  reset <email>
      removes the second factors of somebody who has lost them, ends their sessions, and notifies them by mail`;

await runCommands('second-factors', USAGE, {
  async reset({ services, args, commit }) {
    const user = await accountNamed(services, args);
    const isReset = await commit({ target: user.id }, (tx, cause) => resetFactors(tx, user, cause));
    print(
      isReset
        ? `The second factors of ${user.email} are removed.`
        : `${user.email} has no second factor.`,
    );
  },
});
