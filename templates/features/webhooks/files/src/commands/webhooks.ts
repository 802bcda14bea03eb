import { createWebhook } from '../features/webhook-configs/save-webhook.js';
import { endpointShape } from '../features/webhooks/feature.js';
import { newSecret } from '../features/webhooks/signing.js';
import { type CommandCall, print, runCommands } from './command.js';

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
  list: listEndpoints,
  add: addEndpoint,
  test: testEndpoint,
  remove: removeEndpoint,
});

async function listEndpoints({ services }: CommandCall): Promise<void> {
  const { items } = await services.webhookConfigs.list({
    limit: Number.MAX_SAFE_INTEGER,
    offset: 0,
  });
  for (const config of items.filter(endpointShape.describes)) {
    const state = config.isActive ? 'on ' : 'off';
    print([config.id, state, config.url, config.events.join(',')].join('  '));
  }
}

async function addEndpoint({ args: [url, ...events], commit }: CommandCall): Promise<void> {
  const secret = newSecret();
  const wanted = events.length > 0 ? events : ['*'];
  const parsed = endpointShape.create.safeParse({ url, events: wanted, secret });
  if (!parsed.success)
    throw new Error(parsed.error.issues.map(({ message }) => message).join('\n'));
  const { data } = parsed;
  let id = '';
  await commit({ target: null, details: { url, events: wanted } }, async (tx) => {
    id = (await createWebhook(tx, data))?.id ?? '';
    return id !== '';
  });
  print(`${id}  ${secret}`);
}

async function testEndpoint({ services, args: [id = ''], commit }: CommandCall): Promise<void> {
  const config = await services.webhookConfigs.find(id);
  if (!config || !endpointShape.describes(config)) throw new Error(`There is no endpoint ${id}.`);
  await commit({ target: id, details: {} }, async (tx, cause) => {
    tx.events.publish('identity.webhook.test', { webhookId: id }, cause);
    return true;
  });
  print(`A test event is on its way to ${config.url}.`);
}

async function removeEndpoint({ args: [id = ''], commit }: CommandCall): Promise<void> {
  const subject = { target: id, details: {} };
  const isRemoved = await commit(subject, ({ webhookConfigs }) => webhookConfigs.delete(id));
  if (!isRemoved) throw new Error(`There is no webhook ${id}.`);
  print(`${id} is removed.`);
}
