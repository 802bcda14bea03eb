import { fastify } from 'fastify';
import { openAccounts } from './accounts.js';

/** Fastify with its default settings, bare at `/hello`, and written by hand for `/me` and `/refresh`. */
const { DATABASE_FILE = '', PORT } = process.env;
const accounts = openAccounts(DATABASE_FILE);
const app = fastify();
app.get('/hello', async () => ({ hello: 'world' }));
app.get('/tokens', async () => accounts.tokens);
app.get('/me', async ({ headers }) => accounts.me(headers.authorization ?? headers.cookie ?? ''));
app.post<{ Body: { refreshToken: string } }>('/refresh', async ({ body }) =>
  accounts.refresh(body.refreshToken),
);
await app.listen({ port: Number(PORT), host: '127.0.0.1' });
