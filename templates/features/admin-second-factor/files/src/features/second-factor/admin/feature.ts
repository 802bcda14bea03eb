import * as z from 'zod';
import type { EventCause } from '../../../events/bus.js';
import { defineFeature } from '../../../feature.js';
import { refuse } from '../../../http/errors.js';
import type { Route } from '../../../http/route.js';
import { notice } from '../../../mail/compose-mail.js';
import { onOff } from '../../../process/environment.js';
import type { Services } from '../../../services.js';
import { hasWayIn } from '../../../session/credentials.js';
import { endSessionsOfUser } from '../../../session/end-session.js';
import { adminPrefix } from '../../admin/feature.js';
import { findManageableUser } from '../../admin/privilege.js';
import { get, post } from '../../admin/route.js';
import { changeSetting } from '../../admin/settings.js';
import { enrolledFactors } from '../challenge.js';

const factorsReset = notice(() => ({
  subject: { en: 'Your second factors were removed', de: 'Ihre zweiten Faktoren wurden entfernt' },
  paragraphs: [
    {
      en: 'An administrator has removed the second factors of your account, and signed you out everywhere.',
      de: 'Die Administration hat die zweiten Faktoren Ihres Kontos entfernt und Sie überall abgemeldet.',
    },
    {
      en: 'If you did not ask for this, contact an administrator at once.',
      de: 'Falls Sie nicht darum gebeten haben, wenden Sie sich sofort an die Administration.',
    },
  ],
}));

/** The factors that a sign-in may require as its second step and that can be removed from an account. */
function removableOf({ features }: Services) {
  return features.flatMap(({ secondFactor: factor, credential }) =>
    factor && credential ? { factor, credential } : [],
  );
}

/** Removes the factors that a sign-in may require as its second step, but never the only way into the account. */
async function forgetFactors(services: Services, userId: string, cause: EventCause): Promise<void> {
  for (const { credential } of removableOf(services)) {
    if (credential.isAdditional || (await hasWayIn(services, userId, credential))) {
      await credential.forget?.(services, userId, cause);
    }
  }
}

export const secondFactorAdmin = defineFeature({
  variables: {
    /** Absent: on in production. */
    ADMIN_2FA: onOff().optional(),
  },
  mails: { factorsReset },
  prefix: adminPrefix,
  routes: (): Route[] => [
    post(
      '/2fa-policy',
      {
        summary: 'Require a second factor for all users, or stop requiring it',
        permission: 'settings:write',
        body: z.object({ required: z.boolean() }),
      },
      async (call) => {
        await changeSetting(call, 'require2FA', call.body.required);
      },
    ),

    get(
      '/users/{id}/factors',
      {
        summary: 'List the second factors that a user has set up',
        permission: 'users:read',
        reply: z.object({ factors: z.array(z.string()) }),
        errors: ['NOT_FOUND'],
      },
      async ({ params, services }) => {
        const account = await services.users.findAccount(params.id ?? '');
        if (!account) throw refuse('NOT_FOUND');
        const factors = removableOf(services).map(({ factor }) => factor);
        return { body: { factors: await enrolledFactors(services, account, factors) } };
      },
    ),

    post(
      '/users/{id}/factors/reset',
      {
        summary: 'Remove the second factors of a user who has lost them, and end their sessions',
        permission: 'users:write',
        errors: ['NOT_FOUND'],
      },
      async (call) => {
        const { id, email } = await findManageableUser(call);
        await forgetFactors(call.services, id, call.cause);
        await endSessionsOfUser(call.services, call.cause, id, 'factors-reset');
        await call.services.mails.add('factorsReset', { email });
      },
    ),
  ],
});
