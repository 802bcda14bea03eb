import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { templatesFolder } from '../src/package-root.js';

/** Runs tsc over each combination that `wiring` has prepared, or those whose names hold the argument; errors name the template. */
const wiringFolder = join(templatesFolder, '..', '.wiring');
const [part = ''] = process.argv.slice(2);
const combinations = readdirSync(wiringFolder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .filter((name) => name.includes(part));

for (const name of combinations) {
  const { failed } = await execa('tsc', ['-p', join(wiringFolder, name), '--pretty', 'false'], {
    preferLocal: true,
    reject: false,
    stdio: 'inherit',
  });
  if (failed) process.exitCode = 1;
  console.log(`${name}: ${failed ? 'failed' : 'clean'}`);
}
