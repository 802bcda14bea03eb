import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readCatalog } from '../../src/catalog/read-catalog.js';
import { templatesFolder } from '../../src/package-root.js';
import { recordFolder } from '../../src/plan/manifest.js';
import type { DemoService } from './service.js';
import { sayLine, sayTitle } from './show.js';
import type { LayerDemo } from './step.js';
import { createVisitor, type Visitor } from './visitor.js';

const stepsFolder = fileURLToPath(new URL('steps', import.meta.url));

/**
 * Takes the steps of the layers that the service in the folder was made of.
 * @returns the account that can sign in afterwards
 * @throws UserError at the first answer that is not as expected
 */
export async function drive(
  service: DemoService,
  folder: string,
  layers: LayerDemo[],
): Promise<Visitor['account']> {
  const visitor = createVisitor(service, folder, layers);
  const steps = layers.flatMap((layer) => layer.steps).sort((a, b) => a.order - b.order);
  for (const [position, step] of steps.entries()) {
    sayTitle(`${position + 1}. ${step.title}`);
    await step.take(visitor);
  }
  sayLine('');
  return visitor.account;
}

/** `steps/<layer>.ts` of each layer in the folder that has one, in the order in which people see the layers. */
export async function demosOf(folder: string): Promise<LayerDemo[]> {
  const layers = layersIn(folder);
  const files = readdirSync(stepsFolder);
  const modules = await Promise.all(
    readCatalog(templatesFolder)
      .map(({ name }) => name)
      .filter((name) => layers.includes(name) && files.includes(`${name}.ts`))
      .map((name) => import(pathToFileURL(join(stepsFolder, `${name}.ts`)).href)),
  );
  return modules as LayerDemo[];
}

function layersIn(folder: string): string[] {
  const manifest = JSON.parse(
    readFileSync(join(folder, recordFolder, 'manifest.json'), 'utf8'),
  ) as { files: { layers: string[] }[] };
  return [...new Set(manifest.files.flatMap(({ layers }) => layers))];
}
