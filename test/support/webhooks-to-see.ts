import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Administrator {
  email: string;
  password: string;
}

const SCRIPT = `// Acme tells us of its orders.
const user = await actions['users.find']({ email: body.email });
console.log('order', body.order, 'of', body.email);
if (!user) throw new Error('Nobody has this address.');
result = { event: 'shop.order.placed', userId: user.id, data: { order: body.order } };
`;

/**
 * Creates webhooks for the pages to show: one that delivers, one that fails, and one that is called, with its runs. The
 * service needs WEBHOOK_ALLOW_PRIVATE=on.
 */
export async function makeWebhooks(baseUrl: string, { email, password }: Administrator) {
  const headers = { 'content-type': 'application/json', 'x-auth-strategy': 'bearer' };
  async function send(path: string, body: object, method = 'POST', more = {}) {
    const init = { method, headers: { ...headers, ...more }, body: JSON.stringify(body) };
    const response = await fetch(baseUrl + path, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  }
  const { accessToken } = await send('/auth/login', { email, password });
  const asAdmin = { authorization: `Bearer ${accessToken}` };
  const administer = (path: string, body: object = {}, method = 'POST') =>
    send(`/admin/api${path}`, body, method, asAdmin);

  const receiver = createServer((request, response) => {
    response.statusCode = request.url === '/ok' ? 200 : 503;
    response.end(request.url === '/ok' ? 'thanks' : '<h1>503 Service Unavailable</h1>');
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  try {
    for (const path of ['/ok', '/hooks/users-of-a-service-with-a-long-address']) {
      const url = `http://127.0.0.1:${port}${path}`;
      const fields = { url, events: ['identity.user.created'], retryDelayMs: 60_000 };
      const { webhook } = await administer('/webhooks', fields);
      await administer(`/webhooks/${webhook.id}/test`);
      await until(async () => {
        const { deliveries } = await get(`/admin/api/webhooks/${webhook.id}/deliveries`);
        return deliveries[0]?.attemptCount > 0;
      });
    }
    const enabledWebhookActions = ['echo.say', 'users.find', 'users.sessions', 'mail.send'];
    await administer('/settings', { enabledWebhookActions }, 'PUT');
    const allowedActions = ['users.find', 'echo.say'];
    const inbound = { provider: 'acme', jsScript: SCRIPT, allowedActions };
    await administer('/webhooks', inbound);
    for (const address of [email, 'nobody@example.com']) {
      await send('/tools/webhook/acme', { order: 4711, email: address });
    }
  } finally {
    receiver.close();
    receiver.closeAllConnections();
  }

  async function get(path: string) {
    const response = await fetch(baseUrl + path, { headers: asAdmin });
    return JSON.parse(await response.text());
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 1_200; attempt += 1) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('A webhook was not called.');
}
