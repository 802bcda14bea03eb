import { execa } from 'execa';

/**
 * Emits services and checks them: all pairs of choices, or with `--random <n>` that many random ones, reproducible by
 * `--seed <n>`. All other arguments are Vitest's, such as `-t <name>`.
 */
const { random, seed, rest } = readArguments(process.argv.slice(2));
const env = {
  ...(random === undefined ? {} : { MATRIX_RANDOM: random }),
  ...(seed === undefined ? {} : { MATRIX_SEED: seed }),
};
const files = random === undefined && seed === undefined ? 'test/matrix' : 'test/matrix-random';
const vitest = ['run', '--reporter=verbose', files, ...rest];
const { exitCode } = await execa('vitest', vitest, {
  env,
  preferLocal: true,
  reject: false,
  stdio: 'inherit',
});
process.exitCode = exitCode ?? 1;

function readArguments(given: string[]): { random?: string; seed?: string; rest: string[] } {
  const [flag = '', value = '', ...others] = given;
  if (flag === '') return { rest: [] };
  if (flag !== '--random' && flag !== '--seed') {
    const { rest, ...numbers } = readArguments(given.slice(1));
    return { ...numbers, rest: [flag, ...rest] };
  }
  if (!/^\d{1,9}$/.test(value)) throw new Error(`${flag} wants a whole number`);
  return { ...readArguments(others), [flag.slice(2)]: value };
}
