import type { MakeFlow } from '../flow.js';

export const emailVerification: MakeFlow[] = [
  () => ({
    route: 'GET /verify-email',
    /** A link is mailed only while the address is unproven. */
    enrol: ({ services }, { user }) =>
      services.db
        .updateTable('users')
        .set({ email_verified_at: null, email_proven_at: null })
        .where('id', '=', user.id)
        .execute(),
    async start(service, person, client) {
      await person.client.post('/send-verification-email');
      const mail = (await service.mails()).findLast(({ to }) => to === person.user.email);
      const [, secret = ''] = /verify-email\?token=(\w+)/.exec(mail?.text ?? '') ?? [];
      return { secret, send: (token = secret) => client.get(`/verify-email?token=${token}`) };
    },
  }),
];
