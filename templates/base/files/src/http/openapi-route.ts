import { openApiDocument } from './openapi.js';
import { get, type Route } from './route.js';

/** The OpenAPI document of a route table; in production only with OPENAPI=on. */
export function openApiRoute(routes: Route[]): Route {
  return get(
    '/openapi.json',
    { summary: 'This document', isMounted: (config) => config.OPENAPI },
    async ({ services }) => ({ body: openApiDocument(routes, services.config) }),
  );
}
