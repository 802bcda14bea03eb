import type { Config } from './config.js';
import type { MountPoint } from './http/mount-point.js';
import { openApiRoute } from './http/openapi-route.js';
import type { Route } from './http/route.js';
import { mounts } from './mounts.js';

/** A route table and the path it is mounted at. */
export interface Mount {
  prefix: string;
  routes: Route[];
}

/** Everything the service answers, by mount point; each with a prefix describes itself at `/openapi.json`. */
export function mountsOf(config: Config): Mount[] {
  return Object.values<MountPoint>(mounts).map((point) => {
    const prefix = point.prefixOf(config);
    const routes = prefix === '' ? point.routes : [...point.routes, openApiRoute(point)];
    return { prefix, routes };
  });
}
