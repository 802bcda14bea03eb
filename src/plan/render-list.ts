import type { Source } from '../catalog/read-sources.js';
import { ejs } from '../packages/ejs.js';
import type { ListContext } from './list-context.js';

/** The text of a wiring list. @throws Error naming the template and the line that failed */
export function renderList(source: Source, context: ListContext): Buffer {
  const names = Object.entries(context).map(([name, value]) => [name, strict(value)]);
  const template = source.content.toString();
  return Buffer.from(ejs.render(template, Object.fromEntries(names), { filename: source.from }));
}

/** EJS prints nothing for a field that does not exist; here that is a fault of the template. */
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
