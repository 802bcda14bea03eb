import { join } from 'node:path';
import { type ZodType, z } from 'zod';

/** A route of an emitted service. */
export interface EmittedRoute {
  method: string;
  /** In full, such as `/auth/sessions/{handle}`. */
  path: string;
  /** The fields of its body. */
  fields: string[];
}

interface Mounts {
  mounts: Record<
    string,
    {
      prefixOf(prefixes: Record<string, string>): string;
      routes: { method: string; path: string; body?: ZodType }[];
    }
  >;
}

const prefixes = { AUTH_PREFIX: '/auth', TOOLS_PREFIX: '/tools', ADMIN_PREFIX: '/admin' };

/** Every route of the service that was emitted into a folder, of all its tables. */
export async function emittedRoutes(folder: string): Promise<EmittedRoute[]> {
  const { mounts } = (await import(join(folder, 'src/mounts.ts'))) as Mounts;
  return Object.values(mounts).flatMap(({ prefixOf, routes }) =>
    routes.map(({ method, path, body }) => ({
      method,
      path: prefixOf(prefixes) + path,
      fields: body ? Object.keys(z.toJSONSchema(body, { io: 'input' }).properties ?? {}) : [],
    })),
  );
}
