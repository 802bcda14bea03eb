import { Command } from 'commander';
import { execa } from 'execa';

/**
 * Emits services and checks them: all pairs of choices, or with `--random <n>` that many random ones, reproducible by
 * `--seed <n>`. All other arguments are Vitest's, such as `-t <name>`.
 */
const command = new Command('matrix')
  .option('--random <n>')
  .option('--seed <n>')
  .allowUnknownOption()
  .allowExcessArguments()
  .parse();
const { random, seed } = command.opts<{ random?: string; seed?: string }>();
for (const number of [random, seed]) {
  if (number && !/^\d{1,9}$/.test(number)) command.error(`${number} is not a whole number`);
}
const env = { ...(random && { MATRIX_RANDOM: random }), ...(seed && { MATRIX_SEED: seed }) };
const files = random || seed ? 'test/matrix-random' : 'test/matrix';
const { exitCode } = await execa('vitest', ['run', '--reporter=verbose', files, ...command.args], {
  env,
  preferLocal: true,
  reject: false,
  stdio: 'inherit',
});
process.exitCode = exitCode ?? 1;
