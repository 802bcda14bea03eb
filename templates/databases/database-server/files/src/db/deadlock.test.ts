import { expect, it } from 'vitest';
import { isParallel } from '../../test/database.js';
import { closedGate } from '../../test/gate.js';
import { startTestService } from '../../test/service.js';
import { signInAs } from '../../test/sign-in-as.js';
import { inTransaction } from '../services.js';
import { locked, lockedUnlessHeld } from './locks.js';

/** Resolves once `count` have come; whoever comes later passes. */
function meetingOf(count: number): () => Promise<void> {
  const gate = closedGate();
  let here = 0;
  return () => {
    here += 1;
    if (here === count) gate.open();
    return gate.opened;
  };
}

it.runIf(await isParallel())(
  'a transaction that loses a deadlock is done again, and its events are told once',
  async () => {
    const service = await startTestService();
    const [ada, bob] = [await signInAs(service), await signInAs(service)];
    const bothHoldOne = meetingOf(2);
    let attempts = 0;
    const changeBoth = (first: string, second: string) =>
      inTransaction(service.services, async ({ users, events }) => {
        attempts += 1;
        await users.updateMetadata(first, { by: first });
        await bothHoldOne();
        await users.updateMetadata(second, { by: first });
        events.publish('identity.user.email.verified', { email: first }, { userId: first });
      });
    await Promise.all([changeBoth(ada.user.id, bob.user.id), changeBoth(bob.user.id, ada.user.id)]);
    expect(attempts).toBe(3);
    const told = (await service.events()).filter(({ event }) => event.endsWith('email.verified'));
    expect(told.map(({ metadata }) => metadata.userId).sort()).toEqual(
      [ada.user.id, bob.user.id].sort(),
    );
    const [one, other] = await Promise.all(
      [ada, bob].map(({ user }) => service.services.users.findById(user.id)),
    );
    expect(one?.metadata).toEqual(other?.metadata);
  },
);

it.runIf(await isParallel())(
  'a row that another transaction holds can be passed over',
  async () => {
    const service = await startTestService();
    const [ada, bob] = [await signInAs(service), await signInAs(service)];
    // What a sign-in brings about afterwards holds rows of users too, as a foreign key does.
    await service.idle();
    await service.services.db.transaction().execute(async (holder) => {
      await locked(holder.selectFrom('users').selectAll().where('id', '=', ada.user.id)).execute();
      await service.services.db.transaction().execute(async (other) => {
        const free = await lockedUnlessHeld(other.selectFrom('users').select('id')).execute();
        expect(free).toEqual([{ id: bob.user.id }]);
      });
    });
  },
);
