import type { Config } from './config.js';
import { routes } from './features.js';
import { healthRoutes } from './health/index.js';
import { openApiRoute } from './http/openapi-route.js';
import type { Route } from './http/route.js';

/** A route table and the path it is mounted at. */
export interface Mount {
  prefix: string;
  routes: Route[];
}

/** Everything the service answers, by mount point. */
export function mountsOf(config: Config): Mount[] {
  return [
    { prefix: config.AUTH_PREFIX, routes: [...routes, openApiRoute(routes)] },
    { prefix: '', routes: healthRoutes },
  ];
}
