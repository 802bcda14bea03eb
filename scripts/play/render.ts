import type { Answers } from '../../src/answers/schema.js';
import { chooseLayers } from '../../src/catalog/choose-layers.js';
import type { Layer } from '../../src/catalog/layer.js';
import { readCatalog } from '../../src/catalog/read-catalog.js';
import { readSources, type Source } from '../../src/catalog/read-sources.js';
import { templatesFolder } from '../../src/package-root.js';
import { layOver } from '../../src/plan/lay-over.js';
import { planFromTemplates } from '../../src/plan/plan-from-templates.js';
import type { Plan } from '../../src/plan/plan-project.js';

/** A project as the templates are now, and where its files come from. */
export interface Rendering {
  plan: Plan;
  layers: Layer[];
  /** The template of each emitted path; files that are merged from all layers have none. */
  templates: Map<string, Source>;
}

/** Reads the templates anew. @throws Error if they contradict each other */
export async function render(answers: Answers): Promise<Rendering> {
  const catalog = readCatalog(templatesFolder);
  const layers = chooseLayers(catalog, answers);
  const tree = layOver(readSources(layers));
  return {
    plan: await planFromTemplates(catalog, answers),
    layers,
    templates: new Map([...tree].map(([path, { source }]) => [path, source])),
  };
}
