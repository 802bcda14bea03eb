import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packCatalog } from '../../src/catalog/packed-catalog.js';
import { readCatalog } from '../../src/catalog/read-catalog.js';
import { compiledEnd } from '../../src/catalog/read-sources.js';
import { ejs } from '../../src/packages/ejs.js';

const name = 'templates.pack';

/** Packs the templates of a package into its `dist/`. @returns the file's name there */
export function packTemplates(packageFolder: string): string {
  writeFileSync(join(packageFolder, 'dist', name), packed(packageFolder));
  return name;
}

/** For whoever runs the built command here. @throws Error if a template has been edited since it was built */
export function refuseStaleTemplates(packageFolder: string): void {
  const isToday = readFileSync(join(packageFolder, 'dist', name)).equals(packed(packageFolder));
  if (!isToday) throw new Error('templates/ has changed since: npm run build comes first');
}

function packed(packageFolder: string): Buffer {
  const templates = join(packageFolder, 'templates');
  const catalog = readCatalog(templates).map((layer) => ({
    ...layer,
    files: () => new Map([...layer.files()].map(withListCompiled)),
  }));
  return packCatalog(catalog, templates);
}

/** EJS takes 5 ms to read all lists: it does that here, and not in each run. */
function withListCompiled([path, content]: [string, Buffer]): [string, Buffer] {
  if (!path.endsWith('.ejs')) return [path, content];
  const template = new ejs.Template(content.toString(), { compileDebug: false });
  template.compile();
  return [path.replace(/\.ejs$/, compiledEnd), Buffer.from(template.source)];
}
