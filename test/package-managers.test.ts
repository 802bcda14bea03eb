import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import semver from 'semver';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { filesBelow, problemOf, runChild } from '../scripts/matrix/child.js';
import { fullCombinations, largest } from '../scripts/matrix/combinations.js';
import { emit } from '../scripts/matrix/emit.js';
import { startService } from '../scripts/matrix/start-service.js';
import { packageManagers } from '../src/answers/package-managers.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { templatesFolder } from '../src/package-root.js';
import { buildImage } from './support/image.js';
import { folderWith, programs } from './support/package-manager-programs.js';

const oldestNode = '20.19.0';
const catalog = readCatalog(templatesFolder);
const { database } = largest(catalog);
const services = fullCombinations(catalog).filter((each) => each.database === database);
// A framework has the same packages with every package manager, so each installs one framework, in turn.
const cases = programs.flatMap((program, nth) => {
  const service = services[nth % services.length];
  return service ? [{ title: `${service.framework} with ${program.title}`, program, service }] : [];
});

// Outside this repository, whose packages would hide what a package manager leaves out.
const parent = mkdtempSync(join(tmpdir(), 'create-auth-service-'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

test.concurrent.each(cases)(
  '$title is installed, checked, built and signs in, and no package wants a newer Node.js',
  async ({ program, service }) => {
    const { name } = program;
    const place = join(parent, program.wanted);
    const folder = await emit({ ...service, packageManager: name }, place);
    const PATH = [await folderWith(program), dirname(process.execPath), process.env.PATH];
    // With CI set, Yarn 4 refuses to write the lock file that a new project does not have yet.
    const lock = { YARN_ENABLE_IMMUTABLE_INSTALLS: 'false' };
    // Otherwise both releases of Yarn would write to one cache at once, and pnpm's would stay in memory for good.
    const cache = { YARN_CACHE_FOLDER: `${folder}-cache`, npm_config_store_dir: `${folder}-store` };
    // No package may need a script of its own to be installed: F-38.
    const scripts: Record<string, string> =
      name === 'npm' ? { npm_config_ignore_scripts: 'true' } : {};
    const own = { PATH: PATH.join(delimiter), ...scripts, ...lock, ...cache };
    const env = { ...own, ...(await registry()) };
    const runIn = async (command: string, where: string) =>
      expect(await problemOf(where, ['sh', '-c', command], env)).toBeUndefined();
    const run = (command: string) => runIn(command, folder);

    await run(packageManagers[name].install);
    const found = program.title === 'Yarn 4' ? lockedByYarn4(folder) : packagesBelow(folder);
    expect(found.length).toBeGreaterThan(100);
    expect(newerThan(oldestNode, [...found, ...lockedWithEngines(folder)])).toEqual([]);
    await run(`${packageManagers[name].run} typecheck`);
    if (name === 'npm') {
      await run('npm run lint');
      // The other tests need no package that these do not.
      await run('npm test -- test/process.test.ts test/security/supply-chain.test.ts');
    }

    // What the Dockerfile builds with the release that it installs, and what CI reports about its packages.
    const image = await buildImage(folder, join(place, 'image'), runIn);
    for (const name of Object.keys(manifestOf(folder).devDependencies)) {
      expect(existsSync(join(image, 'node_modules', name)), name).toBe(false);
    }
    const { stop, url } = await startService(image, { env: production });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    // This needs the native code of two packages.
    expect(await sendAda(`${url}/auth/register`)).toBe(201);
    expect(await sendAda(`${url}/auth/login`)).toBe(200);
    expect(await stop()).toBe(0);
    if (name === 'npm') await expectListed(folder, env);
    rmSync(place, { recursive: true });
  },
);

async function sendAda(url: string): Promise<number> {
  const ada = { email: 'ada@example.com', password: 'correct horse battery staple' };
  const headers = { 'content-type': 'application/json' };
  return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(ada) })).status;
}

/** What the service needs to start in production. */
const production = {
  NODE_ENV: 'production',
  BASE_URL: 'https://auth.example.com',
  APP_URL: 'https://app.example.com',
  DATABASE_URL: 'file:./data/auth.db',
  SMTP_URL: 'smtp://127.0.0.1:1',
  SMS_TRANSPORT: 'http',
  SMS_HTTP_URL: 'http://127.0.0.1:1/',
  SMS_COUNTRIES: '*',
  MIGRATE_ON_START: 'on',
  ACCESS_TOKEN_SECRET: randomBytes(32).toString('hex'),
  REFRESH_TOKEN_SECRET: randomBytes(32).toString('hex'),
  DATA_KEY: randomBytes(32).toString('hex'),
};

const workflow = z.object({
  jobs: z.object({
    packages: z.object({ steps: z.array(z.object({ run: z.string().default('') })) }),
  }),
});

const sbom = z.object({
  bomFormat: z.literal('CycloneDX'),
  components: z.array(z.object({ name: z.string(), purl: z.string().startsWith('pkg:npm/') })),
});

/** The SBOM of CI has all that runs in production and nothing else; the command that asks for vulnerabilities works. */
async function expectListed(folder: string, env: Record<string, string>): Promise<void> {
  const text = readFileSync(join(folder, '.github/workflows/packages.yml'), 'utf8');
  const commands = workflow.parse(parse(text)).jobs.packages.steps.map(({ run }) => run);
  const [, flat = '', list = '', audit = ''] = commands.filter((command) => command !== '');
  expect(await problemOf(folder, ['sh', '-c', `${flat} && ${list}`], env)).toBeUndefined();
  const { components } = sbom.parse(JSON.parse(readFileSync(join(folder, 'sbom.json'), 'utf8')));
  const listed = components.map(({ name }) => name);
  const { dependencies, devDependencies } = manifestOf(folder);
  expect(listed).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  expect(Object.keys(devDependencies).filter((name) => listed.includes(name))).toEqual([]);
  // Not every registry answers audit requests.
  const asked = await runChild(folder, ['sh', '-c', audit], env);
  expect(asked.text).not.toMatch(/unknown (option|argument|command)|unexpected argument|usage:/i);
}

const manifest = z.object({
  name: z.string().default(''),
  version: z.string().default(''),
  engines: z.object({ node: z.string().default('*') }).catch({ node: '*' }),
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
});

function manifestOf(folder: string) {
  return manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
}

type Manifest = z.infer<typeof manifest>;

/** The packages among these that do not run on a version of Node.js. */
function newerThan(version: string, packages: Manifest[]): string[] {
  return packages
    .filter(({ engines }) => !semver.satisfies(version, engines.node))
    .map(({ name, version, engines }) => `${name}@${version} wants ${engines.node}`);
}

function packagesBelow(folder: string): Manifest[] {
  const installed = join(folder, 'node_modules');
  return filesBelow(installed)
    .filter((path) =>
      /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(`node_modules/${path}`),
    )
    .map((path) => manifestOf(dirname(join(installed, path))));
}

const withEngines = z.object({ packages: z.record(z.string(), manifest) });

/** The packages of a lock file, those for other systems included. Lock files of Yarn and Bun have no engines. */
function lockedWithEngines(folder: string): Manifest[] {
  return ['package-lock.json', 'pnpm-lock.yaml'].flatMap((name) => {
    const path = join(folder, name);
    if (!existsSync(path)) return [];
    const { packages } = withEngines.parse(parse(readFileSync(path, 'utf8')));
    // The project itself has no name there.
    const locked = Object.entries(packages).filter(([key]) => key !== '');
    expect(locked.some(([, { engines }]) => engines.node !== '*')).toBe(true);
    return locked.map(([key, found]) => ({ ...found, name: key }));
  });
}

const yarnLock = z.record(
  z.string(),
  z.object({
    version: z.coerce.string(),
    resolution: z.string().default(''),
    conditions: z.string().optional(),
    dependencies: z.record(z.string(), z.string()).default({}),
  }),
);

/**
 * The installed packages of Yarn 4's lock file, which has no engines. Without those that only node-gyp needs: Yarn 4
 * adds it to packages with a `binding.gyp` that do not ask for it, and does not run it.
 */
function lockedByYarn4(folder: string): Manifest[] {
  const lock = yarnLock.parse(parse(readFileSync(join(folder, 'yarn.lock'), 'utf8')));
  const entries = Object.entries(lock).flatMap(([keys, entry]) =>
    keys.split(', ').map((key) => [key, entry] as const),
  );
  const byDescriptor = new Map(entries);
  const installed = new Map(
    packagesBelow(folder).map((each) => [`${each.name}@${each.version}`, each]),
  );
  const open = entries.filter(([key]) => key.includes('@workspace:')).map(([, entry]) => entry);
  const reached = new Set(open);
  const found: Manifest[] = [];
  for (const { resolution, version, conditions, dependencies } of open) {
    const id = `${resolution.slice(0, resolution.indexOf('@', 1))}@${version}`;
    const here = installed.get(id);
    // Its conditions name another system: neither that package nor its dependencies are installed.
    if (!here && conditions !== undefined) continue;
    if (here) found.push(here);
    else if (!resolution.includes('@workspace:')) throw new Error(`${id} is not installed`);
    for (const [name, range] of Object.entries(dependencies)) {
      const entry = name === 'node-gyp' ? undefined : byDescriptor.get(`${name}@${range}`);
      if (!entry || reached.has(entry)) continue;
      reached.add(entry);
      open.push(entry);
    }
  }
  return found;
}

/** Yarn has its own default registry, and its own variable for it. */
async function registry(): Promise<Record<string, string>> {
  const { text } = await runChild(parent, ['npm', 'config', 'get', 'registry', '--loglevel=error']);
  const url = text.trim();
  return { npm_config_registry: url, YARN_NPM_REGISTRY_SERVER: url };
}
