import { databaseVariables } from '../src/db/variables.js';
import { SECRETS } from './environment.js';

/** What this service needs to start in production. */
export const inProduction = {
  ...SECRETS,
  NODE_ENV: 'production',
  BASE_URL: 'https://auth.example.com',
  APP_URL: 'https://auth.example.com',
  DATABASE_URL: databaseVariables.DATABASE_URL.parse(undefined),
  SMTP_URL: 'smtp://127.0.0.1:1',
  SMS_TRANSPORT: 'http',
  SMS_HTTP_URL: 'http://127.0.0.1:1/',
  SMS_COUNTRIES: '49',
};
