import { refuseStaleTemplates } from '../../scripts/build/pack-templates.js';
import { packageFolder } from './cli.js';

/** Before all tests: they run the built command, which must have the templates of today. */
export default function setup(): void {
  refuseStaleTemplates(packageFolder);
}
