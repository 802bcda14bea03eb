import express from 'express';
import { accountWork } from '../account-work.js';
import { refreshWork } from '../refresh-work.js';

/** The bare framework with its default settings: what any route costs at least, and with the work of `/me` and `/refresh`. */
const app = express();
app.get('/hello', (_request, response) => {
  response.json({ hello: 'world' });
});
const { DATABASE_FILE, PORT } = process.env;
if (DATABASE_FILE) {
  const account = accountWork(DATABASE_FILE);
  app.get('/me', (_request, response) => {
    response.json(account());
  });
  const refresh = refreshWork(DATABASE_FILE);
  app.post('/refresh', (_request, response) => {
    refresh();
    response.json({ hello: 'world' });
  });
}
app.listen(Number(PORT), '127.0.0.1');
