import { createWebhook, emptyWebhook } from '../features/webhook-configs/feature.js';
import { endpointShape } from '../features/webhooks/feature.js';
import { newSecret } from '../features/webhooks/signing.js';
import type { Services } from '../services.js';
import { print, runCommands } from './command.js';

const USAGE = `Usage: npm run webhooks -- <command>

  list
      lists the endpoints that events are sent to
  add <url> [<event>...]
      adds an endpoint for the named events, or for all, and prints its secret
  test <id>
      sends an endpoint a test event
  remove <id>
      removes an endpoint with its deliveries`;

await runCommands('webhooks', USAGE, {
  async list({ services: { webhookConfigs } }) {
    const { items } = await webhookConfigs.list({ limit: Number.MAX_SAFE_INTEGER, offset: 0 });
    for (const { id, url, events, isActive } of items.filter(({ url }) => url !== null)) {
      print([id, isActive ? 'on ' : 'off', url, events.join(',')].join('  '));
    }
  },

  async add({ args: [url = '', ...events], commit }) {
    const secret = newSecret();
    const wanted = events.length > 0 ? events : ['*'];
    const { data, error } = endpointShape.fields.safeParse({ url, events: wanted, secret });
    if (!data) throw new Error(error.issues.map(({ message }) => message).join('\n'));
    let id = '';
    const details = { url: new URL(String(data.url)).origin, events: wanted };
    await commit({ target: null, details }, async (tx) => {
      id = (await createWebhook(tx, data))?.id ?? '';
      return id !== '';
    });
    print(`${id}  ${secret}`);
  },

  async test({ services, args: [id = ''], commit }) {
    const config = await endpointNamed(services, id);
    if (!config.isActive) throw new Error(`${config.url} is off: events are not sent to it.`);
    await commit({ target: id }, async (tx, cause) => {
      // Otherwise a paused endpoint would get it later.
      await tx.webhooks.clearFailures([id]);
      tx.events.publish('identity.webhook.test', { webhookId: id }, cause);
      return true;
    });
    print(`A test event is on its way to ${config.url}.`);
  },

  async remove({ services, args: [id = ''], commit }) {
    const { url } = await endpointNamed(services, id);
    await emptyWebhook(services, id);
    await commit({ target: id }, ({ webhookConfigs }) => webhookConfigs.delete(id));
    print(`${url} is removed.`);
  },
});

async function endpointNamed({ webhookConfigs }: Services, id: string) {
  const config = await webhookConfigs.find(id);
  if (!config?.url) throw new Error(`There is no endpoint ${id}.`);
  return config;
}
