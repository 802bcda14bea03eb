import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryFolder } from './matrix/child.js';
import { compilerProblem } from './matrix/compiler.js';

/**
 * Runs tsc over each combination that `wiring` has prepared, or those whose names hold the argument; errors name the
 * template.
 */
const wiringFolder = join(repositoryFolder, '.wiring');
const [part = ''] = process.argv.slice(2);
const combinations = readdirSync(wiringFolder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .filter((name) => name.includes(part));

await Promise.all(
  combinations.map(async (name) => {
    const problem = await compilerProblem(repositoryFolder, join(wiringFolder, name));
    if (problem) process.exitCode = 1;
    console.log(problem ? `${problem}\n${name}: failed` : `${name}: clean`);
  }),
);
