import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { templatesFolder } from '../../src/package-root.js';
import type { Place } from './place.js';

/**
 * What CONTRIBUTING.md says is to be done after the layer's folder is there, with the layer's name in it.
 * @throws Error if its steps are not found
 */
export function nextSteps({ name }: Place): string {
  const guide = readFileSync(join(templatesFolder, '..', 'CONTRIBUTING.md'), 'utf8');
  const section = guide.split(/^## /m).find((text) => text.startsWith('Add a sign-in method'));
  const steps = /^2\. [\s\S]*?(?=\n\n(?! ))/m.exec(section ?? '')?.[0];
  if (!steps) throw new Error('CONTRIBUTING.md has no steps');
  return steps.replaceAll('<name>', name);
}
