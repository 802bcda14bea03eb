import { createWebhook } from '../features/webhook-configs/save-webhook.js';
import { endpointShape } from '../features/webhooks/feature.js';
import { sendTest } from '../features/webhooks/recorder.js';
import { newSecret } from '../features/webhooks/signing.js';
import type { Services } from '../services.js';
import { print, runCommand, withServices } from './command.js';

const USAGE = `Usage: npm run webhooks -- <command>

  list
      lists the endpoints that events are sent to
  add <url> [<event>...]
      adds an endpoint for the named events, or for all, and prints its secret
  test <id>
      sends an endpoint a test event
  remove <id>
      removes an endpoint with its deliveries`;

const actions: Record<string, (services: Services, args: string[]) => Promise<void>> = {
  list: listEndpoints,
  add: addEndpoint,
  test: testEndpoint,
  remove: removeEndpoint,
};

await runCommand(async ([action = '--help', ...args]) => {
  if ([action, ...args].some((arg) => arg === '--help' || arg === '-h')) return print(USAGE);
  const act = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (!act) throw new Error(`Unknown command.\n\n${USAGE}`);
  await withServices((services) => act(services, args));
});

async function listEndpoints({ webhookConfigs }: Services): Promise<void> {
  const { configs } = await webhookConfigs.list({ limit: Number.MAX_SAFE_INTEGER, offset: 0 });
  for (const config of configs.filter(endpointShape.describes)) {
    const state = config.isActive ? 'on ' : 'off';
    print([config.id, state, config.url, config.events.join(',')].join('  '));
  }
}

async function addEndpoint(services: Services, [url, ...events]: string[]): Promise<void> {
  const secret = newSecret();
  const wanted = events.length > 0 ? events : ['*'];
  const parsed = endpointShape.create.safeParse({ url, events: wanted, secret });
  if (!parsed.success)
    throw new Error(parsed.error.issues.map(({ message }) => message).join('\n'));
  const config = await createWebhook(services, parsed.data);
  print(`${config?.id}  ${secret}`);
}

async function testEndpoint(services: Services, [id = '']: string[]): Promise<void> {
  const config = await services.webhookConfigs.find(id);
  if (!config || !endpointShape.describes(config)) throw new Error(`There is no endpoint ${id}.`);
  await sendTest(services, id, {});
  print(`A test event is on its way to ${config.url}.`);
}

async function removeEndpoint(services: Services, [id = '']: string[]): Promise<void> {
  if (!(await services.webhookConfigs.delete(id))) throw new Error(`There is no webhook ${id}.`);
  print(`${id} is removed.`);
}
