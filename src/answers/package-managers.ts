/**
 * The commands of each. `missing` installs it in the image of Node.js 24, which has npm 11 and Yarn 1.
 * `production` installs without development dependencies, where nothing is installed. `once` runs a package that is not
 * installed. `flat` installs all packages where `npm sbom` finds them. `audit` fails for known vulnerabilities of
 * production packages that are high or critical. `files`: what a project has for it.
 */
export const packageManagers = {
  npm: {
    name: 'npm',
    setup: 'npm install --global npm@11',
    missing: [],
    install: 'npm install',
    ci: 'npm ci',
    run: 'npm run',
    exec: 'npx',
    once: 'npx',
    lockfile: 'package-lock.json',
    production: 'npm ci --omit=dev',
    flat: 'npm ci',
    audit: 'npm audit --omit=dev --audit-level=high',
    files: {},
  },
  pnpm: {
    name: 'pnpm',
    setup: 'npm install --global pnpm@10',
    missing: ['npm install --global pnpm@10'],
    install: 'pnpm install',
    ci: 'pnpm install --frozen-lockfile',
    run: 'pnpm run',
    exec: 'pnpm exec',
    once: 'pnpm dlx',
    lockfile: 'pnpm-lock.yaml',
    production: 'pnpm install --frozen-lockfile --prod',
    flat: 'pnpm install --frozen-lockfile --config.node-linker=hoisted',
    audit: 'pnpm audit --prod --audit-level high',
    files: {},
  },
  yarn: {
    name: 'yarn',
    setup: 'npm install --global yarn@1',
    missing: [],
    install: 'yarn install',
    ci: 'yarn install --frozen-lockfile',
    run: 'yarn run',
    exec: 'yarn run',
    once: 'npx',
    lockfile: 'yarn.lock',
    // Yarn 4 has the first command and refuses the second; Yarn 1 the reverse.
    production: 'yarn workspaces focus --production || yarn install --frozen-lockfile --production',
    flat: 'yarn install --frozen-lockfile',
    // Its exit code is a sum: 8 is high, 16 critical.
    audit: 'yarn audit --groups dependencies --level high || test $? -lt 8',
    // For Yarn 2 and later: TypeScript looks for packages only in node_modules.
    files: { '.yarnrc.yml': 'nodeLinker: node-modules\n' },
  },
  bun: {
    name: 'bun',
    setup: 'npm install --global bun@1',
    missing: ['npm install --global bun@1'],
    install: 'bun install',
    ci: 'bun install --frozen-lockfile',
    run: 'bun run',
    exec: 'bunx',
    once: 'bunx',
    lockfile: 'bun.lock',
    production: 'bun install --frozen-lockfile --production',
    flat: 'bun install --frozen-lockfile',
    audit: 'bun audit --production --audit-level=high',
    files: {},
  },
} as const;

export type PackageManagerName = keyof typeof packageManagers;

export const packageManagerNames = Object.keys(packageManagers) as PackageManagerName[];

/** The package manager that runs this program, from the user agent it sets; npm if there is none. */
export function runningPackageManager(userAgent: string | undefined): PackageManagerName {
  const name = userAgent?.split('/')[0];
  return packageManagerNames.find((known) => known === name) ?? 'npm';
}
