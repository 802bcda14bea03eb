import ejs from 'ejs';
import type { Source } from '../catalog/read-sources.js';
import type { ListContext } from './list-context.js';

/** The text of a wiring list. @throws Error naming the template and the line that failed */
export function renderList(source: Source, context: ListContext): Buffer {
  return Buffer.from(ejs.render(source.content.toString(), context, { filename: source.from }));
}
