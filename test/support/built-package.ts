import { refuseStaleTemplates } from '../../scripts/build/pack-templates.js';
import { repositoryFolder } from '../../scripts/matrix/child.js';

/** Before all tests: they run the built command, which must have the templates of today. */
export function setup(): void {
  refuseStaleTemplates(repositoryFolder);
}
