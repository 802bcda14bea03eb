import * as z from 'zod';
import type { Config } from '../../config.js';
import { defineFeature } from '../../feature.js';
import { get, type Route } from '../../http/route.js';

declare module '../../feature.js' {
  interface FeatureParts {
    /** What a page shows or hides, by the names that clients know, such as `register` */
    uiFeatures?: (config: Config) => Record<string, boolean>;
  }
}

const UiConfig = z.object({
  apiPrefix: z.string(),
  features: z.record(z.string(), z.boolean()),
  ui: z.object({ siteName: z.string() }),
});

/** What a sign-in page needs to know before anybody signs in. Nothing in it is secret. */
export const uiConfig = defineFeature({
  routes: (): Route[] => [
    get('/ui/config', {
      summary: 'What sign-in pages may offer',
      reply: UiConfig,
      handle: async ({ services: { config, features } }) => {
        const contributed = features.map(({ uiFeatures }) => uiFeatures?.(config));
        return {
          body: {
            apiPrefix: config.AUTH_PREFIX,
            features: Object.assign({}, ...contributed),
            ui: { siteName: config.SERVICE_NAME },
          },
        };
      },
    }),
  ],
});
