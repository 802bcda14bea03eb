import { join } from 'node:path';
import { templatesFolder } from '../../src/package-root.js';

/** Where `play` renders to, and where `pull` looks if nothing else is said. */
export const playFolder = join(templatesFolder, '..', 'playground', 'play');
