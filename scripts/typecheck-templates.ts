import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { templatesFolder } from '../src/package-root.js';

/** Runs tsc over each combination that `wiring` has prepared; errors name the template. */
const wiringFolder = join(templatesFolder, '..', '.wiring');
const combinations = readdirSync(wiringFolder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

for (const name of combinations) {
  const { failed } = await execa('tsc', ['-p', join(wiringFolder, name), '--pretty', 'false'], {
    preferLocal: true,
    reject: false,
    stdio: 'inherit',
  });
  if (failed) process.exitCode = 1;
  console.log(`${name}: ${failed ? 'failed' : 'clean'}`);
}
