import type { MountPoint } from './mount-point.js';
import { openApiDocument } from './openapi.js';
import { get, type Route } from './route.js';

/** The OpenAPI document of what is mounted at a point; in production only with OPENAPI=on. */
export function openApiRoute({ prefixOf, routes }: MountPoint): Route {
  return get(
    '/openapi.json',
    { summary: 'This document', isMounted: (config) => config.OPENAPI },
    async ({ services: { config } }) => ({
      body: openApiDocument(routes, prefixOf(config), config),
    }),
  );
}
