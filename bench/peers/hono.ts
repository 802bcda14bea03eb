import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { accountWork } from '../account-work.js';
import { refreshWork } from '../refresh-work.js';

/** The bare framework with its default settings: what any route costs at least, and with the work of `/me` and `/refresh`. */
const app = new Hono();
app.get('/hello', (c) => c.json({ hello: 'world' }));
const { DATABASE_FILE, PORT } = process.env;
if (DATABASE_FILE) {
  const account = accountWork(DATABASE_FILE);
  app.get('/me', (c) => c.json(account()));
  const refresh = refreshWork(DATABASE_FILE);
  app.post('/refresh', (c) => {
    refresh();
    return c.json({ hello: 'world' });
  });
}
serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' });
