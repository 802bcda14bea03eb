import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { openAccounts } from './accounts.js';

/** Hono with its default settings, bare at `/hello`, and written by hand for `/me` and `/refresh`. */
const { DATABASE_FILE = '', PORT } = process.env;
const accounts = openAccounts(DATABASE_FILE);
const app = new Hono();
app.get('/hello', (c) => c.json({ hello: 'world' }));
app.get('/tokens', (c) => c.json(accounts.tokens));
app.get('/me', (c) =>
  c.json(accounts.me(c.req.header('authorization') ?? c.req.header('cookie') ?? '')),
);
app.post('/refresh', async (c) => {
  const { refreshToken } = await c.req.json<{ refreshToken: string }>();
  return c.json(accounts.refresh(refreshToken));
});
serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' });
