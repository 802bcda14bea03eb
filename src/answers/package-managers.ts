/** How each one is told things; `once` runs a package that is not installed. */
export const packageManagers = {
  npm: {
    name: 'npm',
    setup: 'npm install --global npm@11',
    install: 'npm install',
    ci: 'npm ci',
    run: 'npm run',
    exec: 'npx',
    once: 'npx',
    lockfile: 'package-lock.json',
    prune: 'npm prune --omit=dev',
  },
  pnpm: {
    name: 'pnpm',
    setup: 'npm install --global pnpm@10',
    install: 'pnpm install',
    ci: 'pnpm install --frozen-lockfile',
    run: 'pnpm run',
    exec: 'pnpm exec',
    once: 'pnpm dlx',
    lockfile: 'pnpm-lock.yaml',
    prune: 'pnpm prune --prod',
  },
  yarn: {
    name: 'yarn',
    setup: 'npm install --global yarn@1',
    install: 'yarn install',
    ci: 'yarn install --frozen-lockfile',
    run: 'yarn run',
    exec: 'yarn run',
    once: 'npx',
    lockfile: 'yarn.lock',
    prune: 'yarn install --production --frozen-lockfile',
  },
  bun: {
    name: 'bun',
    setup: 'npm install --global bun@1',
    install: 'bun install',
    ci: 'bun install --frozen-lockfile',
    run: 'bun run',
    exec: 'bunx',
    once: 'bunx',
    lockfile: 'bun.lock',
    prune: 'bun install --production --frozen-lockfile',
  },
} as const;

export type PackageManagerName = keyof typeof packageManagers;

export const packageManagerNames = Object.keys(packageManagers) as PackageManagerName[];

/** The package manager that runs this program, from the user agent it sets; npm if none says so. */
export function runningPackageManager(userAgent: string | undefined): PackageManagerName {
  const name = userAgent?.split('/')[0];
  return packageManagerNames.find((known) => known === name) ?? 'npm';
}
