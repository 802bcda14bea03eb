/** What this service needs to start in production, beside its secrets. */
export const inProduction = {
  NODE_ENV: 'production',
  BASE_URL: 'https://auth.example.com',
  SMTP_URL: 'smtp://127.0.0.1:1',
  SMS_TRANSPORT: 'http',
  SMS_HTTP_URL: 'http://127.0.0.1:1/',
};
