import { compileFunction } from 'node:vm';
import { compiledEnd, type Source } from '../catalog/read-sources.js';

type Render = (data: object) => string;

/**
 * The texts of those sources that are wiring lists, by path.
 * @throws Error naming the template that failed
 */
export async function renderLists(
  sources: Source[],
  context: object,
): Promise<ReadonlyMap<string, Buffer>> {
  const names = Object.entries(context).map(([name, value]) => [name, strict(value)]);
  const data = Object.fromEntries(names);
  const texts = new Map<string, Buffer>();
  for (const source of sources) {
    if (!source.isList) continue;
    const isCompiled = source.from.endsWith(compiledEnd);
    const render = isCompiled ? compiled(source) : await template(source);
    texts.set(source.path, Buffer.from(render(data)));
  }
  return texts;
}

/** A list that `npm run build` has packed is already the body of a function. */
function compiled({ content, from }: Source): Render {
  const render = compileFunction(content.toString(), ['locals', 'escapeFn'], { filename: from });
  return (data) => render(data, String);
}

async function template({ content, from }: Source): Promise<Render> {
  const { ejs } = await import('../packages/ejs.js');
  return ejs.compile(content.toString(), { filename: from, escape: String });
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
