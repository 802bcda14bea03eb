/** Variables by name; an absent one is undefined. */
export type Environment = Record<string, string | undefined>;

/** Fills in the defaults that depend on other variables. What is set wins. */
export function withDefaults(environment: Environment): Environment {
  const isProduction = environment.NODE_ENV === 'production';
  const baseUrl = environment.BASE_URL ?? `http://localhost:${environment.PORT ?? '3000'}`;
  const appUrl = environment.APP_URL ?? baseUrl;
  return {
    BASE_URL: baseUrl,
    APP_URL: appUrl,
    ALLOWED_ORIGINS: [baseUrl, appUrl].map(originOf).join(','),
    MAIL_FROM: `no-reply@${hostOf(baseUrl)}`,
    // In production a person decides when the tables change and the document is published.
    MIGRATE_ON_START: isProduction ? 'off' : 'on',
    OPENAPI: isProduction ? 'off' : 'on',
    ...environment,
  };
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : 'localhost';
}
