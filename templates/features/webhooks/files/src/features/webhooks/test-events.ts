import type { EventCases } from '../../../test/event-cases.js';
import { addEndpoint, publish, startReceiver, untilHolds } from '../../../test/receiver.js';
import { startTestService } from '../../../test/service.js';
import { sendTest } from './send-test.js';

export const webhooksTestEvents: EventCases = {
  'identity.webhook.test': {
    'npm run webhooks -- test': async () => {
      const service = await startTestService();
      const receiver = await startReceiver();
      const { id } = await addEndpoint(service, { url: receiver.url });
      await sendTest(service.services, id, {});
      await receiver.until(1);
      return service;
    },
  },
  'identity.webhook.deactivated': {
    'a receiver that answers 410': async () => {
      const service = await startTestService();
      const gone = await startReceiver((response) => response.writeHead(410).end());
      await addEndpoint(service, { url: gone.url });
      publish(service);
      await untilHolds(async () => {
        const events = await service.events();
        return events.some(({ event }) => event === 'identity.webhook.deactivated');
      }, 'the deactivation');
      return service;
    },
  },
};
