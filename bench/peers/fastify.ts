import { fastify } from 'fastify';
import { accountWork } from '../account-work.js';
import { refreshWork } from '../refresh-work.js';

/** The bare framework with its default settings: what any route costs at least, and with the work of `/me` and `/refresh`. */
const app = fastify();
app.get('/hello', async () => ({ hello: 'world' }));
const { DATABASE_FILE, PORT } = process.env;
if (DATABASE_FILE) {
  const account = accountWork(DATABASE_FILE);
  app.get('/me', async () => account());
  const refresh = refreshWork(DATABASE_FILE);
  app.post('/refresh', async () => {
    refresh();
    return { hello: 'world' };
  });
}
await app.listen({ port: Number(PORT), host: '127.0.0.1' });
