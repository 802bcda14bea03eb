import type { Answers } from '../answers/schema.js';
import type { Catalog } from '../catalog/catalog.js';
import { chooseLayers } from '../catalog/choose-layers.js';
import { readFragments, readSources } from '../catalog/read-sources.js';
import { generatorVersion } from '../package-root.js';
import { type Plan, planProject } from './plan-project.js';

/** Reads the templates that the answers call for and plans the project. @throws UserError as `chooseLayers` does */
export function planFromTemplates(catalog: Catalog, answers: Answers): Promise<Plan> {
  const layers = chooseLayers(catalog, answers);
  return planProject({
    answers,
    layers,
    sources: readSources(layers),
    fragments: readFragments(layers),
    version: generatorVersion(),
  });
}
