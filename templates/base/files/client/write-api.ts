import { writeFile } from 'node:fs/promises';
import { print, runCommand } from '../src/commands/command.js';
import { readConfig } from '../src/config.js';
import { openApiDocument } from '../src/http/openapi.js';
import { mountsOf } from '../src/http/route.js';
import { loadEnvFile } from '../src/process/environment.js';
import { closeServices, createServices } from '../src/services.js';
import { apiTypes } from './api-types.js';

const FILE = new URL('api.ts', import.meta.url);

// `npm run client`: writes the types of the routes below AUTH_PREFIX beside `auth-client.ts`.
await runCommand(async () => {
  loadEnvFile(process.env);
  const services = await createServices(readConfig(process.env));
  const { AUTH_PREFIX } = services.config;
  for (const mount of mountsOf(services).filter(({ prefix }) => prefix === AUTH_PREFIX)) {
    await writeFile(FILE, apiTypes(openApiDocument(services, mount)));
  }
  await closeServices(services);
  print('client/api.ts has the types of your routes.');
});
