import { fastify } from 'fastify';
import { refreshWork } from '../refresh-work.js';

/** The bare framework with its default settings: what any route costs at least, and what a refresh does. */
const app = fastify();
app.get('/hello', async () => ({ hello: 'world' }));
const { DATABASE_FILE, PORT } = process.env;
if (DATABASE_FILE) {
  const refresh = refreshWork(DATABASE_FILE);
  app.post('/refresh', async () => {
    refresh();
    return { hello: 'world' };
  });
}
await app.listen({ port: Number(PORT), host: '127.0.0.1' });
