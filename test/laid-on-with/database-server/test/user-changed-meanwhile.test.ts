import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Db } from '../src/db/schema.js';
import { resetFactors } from '../src/features/second-factor/feature.js';
import { now } from '../src/process/clock.js';
import { userStore } from '../src/users/user-store.js';
import { nativeClient } from './client.js';
import { tokenFor } from './flows/email-change.js';
import { linkTokenTo } from './flows/link.js';
import { requestMagicLink, sendLink } from './flows/magic-link.js';
import { signInAt, startServiceWith } from './flows/oauth.js';
import { createPasswordAccount, requestResetToken, resetPassword } from './flows/password.js';
import { sendCode, signInWithPhone, startTextingService } from './flows/sms.js';
import { enrolTotp } from './flows/totp.js';
import { meanwhile } from './hold.js';
import { counterparts } from './oauth/counterparts.js';
import { startTestService, type TestService } from './service.js';
import { type SignedIn, signInAs } from './sign-in-as.js';

const EMAIL = 'ada@example.com';

/** What is published of `work` while the account is being deleted. */
async function eventsDuringDeletion(service: TestService, work: () => Promise<unknown>) {
  const before = (await service.events()).length;
  const user = await service.services.users.findByEmail(EMAIL);
  const act = async () => {
    await work();
    return service.events();
  };
  const remove = (db: Db) => userStore(db).delete(user?.id ?? '');
  const published = JSON.stringify((await meanwhile(service, remove, act)).slice(before));
  return { published, id: user?.id ?? '' };
}

it('a wrong password that is typed while the account is deleted leaves no trace of its owner', async () => {
  const service = await startTestService();
  const { email } = await createPasswordAccount(service, { email: EMAIL });
  const { published, id } = await eventsDuringDeletion(service, () =>
    nativeClient(service).post('/login', { email, password: 'wrong' }),
  );
  expect(published).toContain('identity.auth.login.failed');
  expect(published).not.toMatch(new RegExp(`${id}|${EMAIL}`));
});

it.each([true, false])(
  'a sign-in at a provider while the account is deleted leaves none either; linked: %s',
  async (isLinked) => {
    const [[, start] = []] = counterparts;
    if (!start) throw new Error('There is no provider.');
    const { service, counterpart } = await startServiceWith(start);
    counterpart.person = { id: '1', email: EMAIL, isEmailVerified: true };
    if (isLinked) await signInAt(service, counterpart);
    else await signInAs(service, { email: EMAIL, isEmailProven: false });
    const { published, id } = await eventsDuringDeletion(service, () =>
      signInAt(service, counterpart),
    );
    expect(published).not.toContain(id);
  },
);

it('attack: a provider account of a verified address is not linked to the account that is giving up that address', async () => {
  const [[, start] = []] = counterparts;
  if (!start) throw new Error('There is no provider.');
  const { service, counterpart } = await startServiceWith(start);
  counterpart.person = { id: '1', email: EMAIL, isEmailVerified: true };
  const ada = await signInAs(service, { email: EMAIL });
  await meanwhile(
    service,
    (db) => userStore(db).changeEmail(ada.user.id, 'ada@elsewhere.example'),
    () => signInAt(service, counterpart),
  );
  const linked = await service.services.accountLinking.find(counterpart.name, '1');
  expect(linked?.userId).not.toBe(ada.user.id);
  expect(linked?.userId).toBe((await service.services.users.findByEmail(EMAIL))?.id);
});

it('what is requested while the account is disabled signs nobody in once it is enabled again', async () => {
  const phones = await startTextingService();
  const { service, sink } = phones;
  const { user } = await signInWithPhone(phones, { email: EMAIL });
  const before = [(await service.mails()).length, sink.texts().length];
  await meanwhile(
    service,
    (db) => userStore(db).setDisabled(user.id, now()),
    async () => {
      await sendLink(service, EMAIL);
      await sendCode(phones, { email: EMAIL });
      await service.idle();
    },
  );
  expect([(await service.mails()).length, sink.texts().length]).toEqual(before);
});

/** Each changes a row of the user's; prepared first, then sent. */
const acts: Record<string, (service: TestService, ada: SignedIn) => Promise<() => unknown>> = {
  async 'a reset of the password'(service) {
    const token = await requestResetToken(service, EMAIL);
    return () => resetPassword(service, token);
  },
  async 'a new address'(service, { client }) {
    const token = await tokenFor(service, client, 'ada@elsewhere.example');
    return () => nativeClient(service).post('/change-email/confirm', { token });
  },
  async 'a mailed link'(service, { client }) {
    await client.post('/link-request', { email: 'ada@work.example' });
    const token = await linkTokenTo(service, 'ada@work.example');
    return () => nativeClient(service).post('/link-verify', { token });
  },
  async 'a magic link'(service) {
    const token = await requestMagicLink(service, EMAIL);
    return () => nativeClient(service).post('/magic-link/verify', { token });
  },
  async 'a reset of the factors'({ services }, ada) {
    await services.users.markEmailProven(ada.user.id);
    await enrolTotp(ada);
    return () => services.transaction((tx) => resetFactors(tx, ada.user, {}));
  },
};

it.each(Object.entries(acts))(
  '%s locks the user first, as deleting and disabling do',
  async (_name, prepare) => {
    const service = await startTestService();
    const ada = await signInAs(service, { email: EMAIL, isEmailProven: false });
    const act = await prepare(service, ada);
    const lockRows = async (db: Db) => {
      for (const { name, columns } of await service.services.db.introspection.getTables()) {
        if (!columns.some((column) => column.name === 'user_id')) continue;
        const rows = sql`select user_id from ${sql.table(name)} where user_id = ${ada.user.id}`;
        await sql`${rows} for update nowait`.execute(db);
      }
    };
    await meanwhile(
      service,
      (db) => userStore(db).lock(ada.user.id),
      async () => act(),
      lockRows,
    );
  },
);
