import { randomId } from '../../../src/process/random.js';
import type { MakeFlow } from '../flow.js';

export const emailChange: MakeFlow[] = [
  () => ({
    route: 'POST /change-email/confirm',
    async start(service, person, client) {
      const newEmail = `${randomId()}@example.com`;
      await person.client.post('/change-email/request', { newEmail });
      const mail = (await service.mails()).findLast(({ to }) => to === newEmail);
      const [, secret = ''] = /change-email\?token=(\w+)/.exec(mail?.text ?? '') ?? [];
      return { secret, send: (token = secret) => client.post('/change-email/confirm', { token }) };
    },
  }),
];
