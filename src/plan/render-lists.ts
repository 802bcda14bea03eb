import { compileFunction } from 'node:vm';
import type { Source } from '../catalog/read-sources.js';

/**
 * The texts of those sources that are wiring lists, by path.
 * @throws Error naming the template that failed
 */
export function renderLists(sources: Source[], context: object): ReadonlyMap<string, Buffer> {
  const names = Object.entries(context).map(([name, value]) => [name, strict(value)]);
  const data = Object.fromEntries(names);
  const lists = sources.filter(({ isList }) => isList);
  return new Map(lists.map((list) => [list.path, Buffer.from(render(list, data))]));
}

function render({ content, from }: Source, data: object): string {
  const list = compileFunction(content.toString(), ['locals', 'escapeFn'], { filename: from });
  try {
    return list(data, String);
  } catch (error) {
    throw new Error(`${from}: ${error}`);
  }
}

/** EJS prints nothing for a missing field; here that is an error in the template. */
function strict(value: unknown): unknown {
  if (typeof value === 'function') return (...args: unknown[]) => strict(value(...args));
  if (Array.isArray(value)) return value.map(strict);
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(fields, name) {
      if (!(name in fields)) throw new Error(`there is no field ${String(name)} here`);
      return Reflect.get(fields, name);
    },
  });
}
