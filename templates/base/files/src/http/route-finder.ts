import { mountsOf } from '../routes.js';
import type { Services } from '../services.js';
import { type Resource, resourcesOf } from './dispatch.js';

/** What is at a path. */
export interface Found {
  resource: Resource;
  params: Record<string, string>;
}

/** Finds what is at a request's target, its query string left aside; undefined if there is nothing. */
export type FindRoute = (target: string | undefined) => Found | undefined;

interface Pattern {
  expression: RegExp;
  names: string[];
  resource: Resource;
}

const PARAMETER = /\{(\w+)\}/g;

/** Every path of the service in full, such as `/auth/sessions/{handle}`, with what is there. */
export function servicePaths(services: Services): [path: string, resource: Resource][] {
  return mountsOf(services.config).flatMap(({ prefix, routes }) =>
    [...resourcesOf(routes, services)].map(([path, resource]): [string, Resource] => [
      prefix + path,
      resource,
    ]),
  );
}

/**
 * Looks paths up as they were sent: case counts and so does a slash at the end, as where cookie paths are
 * compared, and only parameters are decoded. Frameworks differ in all of that, which is why none of
 * them decides. Paths without parameters, which are nearly all and the busy ones, are in a map.
 */
export function routeFinder(services: Services): FindRoute {
  const literals = new Map<string, Found>();
  const patterns: Pattern[] = [];
  for (const [path, resource] of servicePaths(services)) {
    if (path.includes('{')) patterns.push(patternOf(path, resource));
    else literals.set(path, { resource, params: {} });
  }
  return (target = '') => {
    const mark = target.indexOf('?');
    const path = mark < 0 ? target : target.slice(0, mark);
    return literals.get(path) ?? findByPattern(patterns, path);
  };
}

function patternOf(path: string, resource: Resource): Pattern {
  const names = [...path.matchAll(PARAMETER)].map(([, name = '']) => name);
  const source = path.replaceAll('.', '\\.').replaceAll(PARAMETER, '([^/]+)');
  return { expression: new RegExp(`^${source}$`), names, resource };
}

function findByPattern(patterns: Pattern[], path: string): Found | undefined {
  for (const { expression, names, resource } of patterns) {
    const values = expression.exec(path)?.slice(1).map(decoded);
    if (!values) continue;
    const entries = names.map((name, position) => [name, values[position]]);
    const isWhole = values.every((value) => value !== undefined);
    return isWhole ? { resource, params: Object.fromEntries(entries) } : undefined;
  }
  return undefined;
}

/** Undefined for broken percent-encoding: no route has such a path. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
