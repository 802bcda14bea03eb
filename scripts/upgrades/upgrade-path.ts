import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readCatalog } from '../../src/catalog/read-catalog.js';
import { templatesFolder } from '../../src/package-root.js';
import { problemOf, repositoryFolder, runChild } from '../matrix/child.js';
import { largest } from '../matrix/combinations.js';
import { bundleProblem } from '../matrix/compiler.js';
import { freshDatabase } from '../matrix/fresh-database.js';
import { type StartedService, startService } from '../matrix/start-service.js';
import {
  type Account,
  eventually,
  lookAtMe,
  openAccounts,
  refresh,
  sessionOf,
  signIn,
  useLink,
} from './accounts.js';
import { type Receiver, startReceiver } from './receiver.js';
import type { Release, UpgradePath } from './releases.js';

/**
 * The outcome of upgrading a service with users: for each step, named in plain words, `ok` or what went wrong.
 */
export type Outcome = Record<string, string>;

const event = 'identity.session.created';

/**
 * Creates a service with everything, lets users use it, upgrades it while it runs, lets both versions serve the same
 * users on one database, downgrades, and checks that nobody has lost anything.
 * @throws Error if the service could not be created
 */
export async function upgradeWithPeople(
  { from, to }: UpgradePath,
  database: string,
  place: string,
): Promise<Outcome> {
  const outcome: Outcome = {};
  const step = async (name: string, work: () => Promise<unknown>) => {
    try {
      const said = await work();
      outcome[name] = typeof said === 'string' ? said : 'ok';
    } catch (error) {
      outcome[name] = error instanceof Error ? error.message : String(error);
    }
  };
  const [old, fresh] = [join(place, 'old'), join(place, 'new')];
  await emitWith(from, database, place);
  await build(old);
  cpSync(old, fresh, { recursive: true });
  const { environment, drop } = await freshDatabase(old);
  const [texts, hooks] = [await startReceiver(), await startReceiver()];
  const env = { ...environment, ...settings(texts.url) };
  const running = new Set<StartedService>();
  const start = async (folder: string) => {
    const service = await startService(folder, { env });
    running.add(service);
    return service;
  };
  const stop = async (service: StartedService) => {
    running.delete(service);
    await service.stop();
  };
  try {
    const before = await start(old);
    await inside(old, ['dist/webhooks.js', 'add', hooks.url, event], env);
    hooks.isOpen = false;
    const accounts = await openAccounts({ url: before.url, folders: [old, fresh], texts });
    const administrator = accounts.find(({ name }) => name === 'administrator');
    await inside(old, ['dist/admin.js', 'promote', administrator?.email ?? ''], env);
    const told = new Set(accounts.map(sessionOf));

    await step('upgrade', async () => {
      await inside(fresh, [to.bin, 'upgrade', '--allow-dirty'], {});
      await build(fresh);
    });
    let migrations = 0;
    await step('migrate while the old one runs', async () => {
      const printed = await inside(fresh, ['dist/migrate.js', 'up'], env);
      migrations = (printed.match(/^up /gm) ?? []).length;
      return `ok, ${migrations}`;
    });
    const after = await start(fresh);
    hooks.isOpen = true;
    const sides = [after.url, before.url];
    const everybody = (work: (account: Account) => Promise<void>) => forEach(accounts, work);

    await step('sessions go on in both', () =>
      everybody(async (account) => {
        for (const url of [...sides, ...sides]) {
          await refresh(url, account);
          for (const each of sides) await lookAtMe(each, account);
        }
      }),
    );
    await step('open links work', () => everybody((account) => useLink(after.url, account)));
    await step('roles hold', async () => {
      if (!administrator) throw new Error('there is no administrator');
      await refresh(after.url, administrator);
      const { body } = await lookAtMe(after.url, administrator);
      if (!JSON.stringify(body).includes('"admin"')) throw new Error(JSON.stringify(body));
    });
    await step('everybody signs in, in both', () =>
      everybody(async (account) => {
        for (const url of sides) {
          told.add(sessionOf(account));
          await signIn(url, account);
          for (const each of sides) await lookAtMe(each, account);
          told.add(sessionOf(account));
        }
      }),
    );
    await step('each event is delivered once', () => deliveredOnce(hooks, told));
    await stop(before);
    await step('the new one alone', () => everybody((account) => refresh(after.url, account)));
    await step('migrate down', async () => {
      for (let left = migrations; left > 0; left -= 1) {
        await inside(fresh, ['dist/migrate.js', 'down'], env);
      }
    });
    await stop(after);
    await step('back to the old one', async () => {
      const again = await start(old);
      await everybody(async (account) => {
        await refresh(again.url, account);
        await signIn(again.url, account);
      });
    });
  } finally {
    await Promise.all([...running].map((service) => service.kill()));
    await Promise.all([texts.close(), hooks.close()]);
    await drop();
    rmSync(place, { recursive: true, force: true });
  }
  return outcome;
}

function settings(texts: string): Record<string, string> {
  return {
    BCRYPT_COST: '10',
    RATE_LIMIT: 'off',
    WEBHOOK_ALLOW_PRIVATE: 'on',
    SMS_TRANSPORT: 'http',
    SMS_HTTP_URL: texts,
    SMS_HTTP_TOKEN: 'token-of-the-upgrade-test',
  };
}

async function emitWith({ bin }: Release, database: string, place: string): Promise<void> {
  const { framework } = largest(readCatalog(templatesFolder));
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  const answers = ['--name', 'auth-service', '--database', database, '--framework', framework];
  const flags = [...answers, '--yes', '--no-install', '--no-git'];
  const problem = await problemOf(place, [process.execPath, bin, join(place, 'old'), ...flags]);
  if (problem) throw new Error(problem);
}

async function build(folder: string): Promise<void> {
  const problem = await bundleProblem(folder);
  if (problem) throw new Error(problem);
}

async function inside(
  folder: string,
  args: string[],
  env: Record<string, string>,
): Promise<string> {
  const { exitCode, text } = await runChild(folder, [process.execPath, ...args], env);
  if (exitCode !== 0) throw new Error(`${args.join(' ')}: ${text}`);
  return text;
}

/** Runs for all of them, and reports together what went wrong. */
async function forEach(
  accounts: Account[],
  work: (account: Account) => Promise<void>,
): Promise<void> {
  const done = await Promise.allSettled(accounts.map(work));
  const problems = done.flatMap((each) =>
    each.status === 'rejected' ? [String(each.reason?.message ?? each.reason)] : [],
  );
  if (problems.length > 0) throw new Error(problems.join('; '));
}

/** Waits until all sessions were reported, and a little longer. @throws Error naming how many came twice */
async function deliveredOnce(hooks: Receiver, told: ReadonlySet<string>): Promise<string> {
  const missing = () => [...told].filter((session) => !hooks.sessions.includes(session));
  await eventually(() => missing().length === 0 || undefined, 'some delivery');
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const { sessions } = hooks;
  const twice = sessions.length - new Set(sessions).size;
  if (twice > 0) throw new Error(`${twice} came twice`);
  return `ok, ${sessions.length}`;
}

/** Where the services are created: within the repository, so that its packages are found from there. */
export const upgradesFolder = join(repositoryFolder, 'playground/upgrades');
