import express from 'express';
import { openAccounts } from './accounts.js';

/** Express with its default settings, bare at `/hello`, and written by hand for `/me` and `/refresh`. */
const { DATABASE_FILE = '', PORT } = process.env;
const accounts = openAccounts(DATABASE_FILE);
const app = express();
app.get('/hello', (_request, response) => {
  response.json({ hello: 'world' });
});
app.get('/tokens', (_request, response) => {
  response.json(accounts.tokens);
});
app.get('/me', ({ headers }, response) => {
  response.json(accounts.me(headers.authorization ?? headers.cookie ?? ''));
});
app.post('/refresh', express.json(), ({ body }, response) => {
  response.json(accounts.refresh(body.refreshToken));
});
app.listen(Number(PORT), '127.0.0.1');
