import type { TeamEdit } from '../team-edit.js';

/** Edits of package.json, settings, ignore files, workflows and pages. */
export const dataFiles: TeamEdit[] = [
  {
    team: 'adds a dependency and a script',
    template: 'raises the dependency beside it',
    upstream: [
      { path: 'base/package.json', from: '"nodemailer": "^10.6.0"', to: '"nodemailer": "^10.7.0"' },
      {
        path: 'base/package.json',
        from: '"pino": "^10.4.0"',
        to: '"pino": "^10.5.0"',
      },
    ],
    apply({ replace }) {
      replace('package.json', '    "nodemailer":', '    "nanoid": "^5.1.0",\n    "nodemailer":');
      replace(
        'package.json',
        '    "typecheck":',
        '    "seed": "tsx src/seed.ts",\n    "typecheck":',
      );
    },
    outcomes: { 'package.json': 'merged' },
    has: {
      'package.json': [
        '"nanoid": "^5.1.0",\n    "nodemailer": "^10.7.0"',
        '"seed": "tsx src/seed.ts"',
      ],
    },
  },
  {
    team: 'raises a dependency',
    template: 'raises it less',
    apply: ({ replace }) =>
      replace('package.json', '"nodemailer": "^10.6.0"', '"nodemailer": "^10.9.0"'),
    outcomes: { 'package.json': 'merged' },
    has: { 'package.json': ['"nodemailer": "^10.9.0"'] },
  },
  {
    team: 'pins a dependency',
    template: 'raises it beyond that',
    apply: ({ replace }) =>
      replace('package.json', '"nodemailer": "^10.6.0"', '"nodemailer": "10.6.0"'),
    outcomes: { 'package.json': 'merged' },
    has: { 'package.json': ['"nodemailer": "^10.7.0"'] },
  },
  {
    team: 'moves to the next major of a dependency',
    template: 'raises it within its major',
    apply: ({ replace }) =>
      replace('package.json', '"nodemailer": "^10.6.0"', '"nodemailer": "^11.0.0"'),
    outcomes: { 'package.json': 'merged' },
    has: { 'package.json': ['"nodemailer": "^11.0.0"', '"pino": "^10.5.0"'] },
  },
  {
    team: 'removes a dependency',
    template: 'raises it',
    apply: ({ replace }) => replace('package.json', '    "pino": "^10.4.0",\n', ''),
    outcomes: { 'package.json': 'merged' },
    has: { 'package.json': ['"nodemailer": "^10.7.0"'] },
  },
  {
    team: 'changes a script',
    template: 'changes it too',
    upstream: [
      {
        path: 'base/package.json',
        from: '"test": "vitest run"',
        to: '"test": "vitest run --passWithNoTests"',
      },
    ],
    apply: ({ replace }) =>
      replace('package.json', '"test": "vitest run"', '"test": "vitest run --coverage"'),
    outcomes: { 'package.json': 'conflict' },
    has: {
      'package.json': ['"test": "vitest run --coverage"', '"nodemailer": "^10.7.0"'],
      'package.json.template': ['--passWithNoTests'],
    },
  },
  {
    team: 'indents package.json with tabs and sorts its keys',
    template: 'changes it',
    apply({ read, write }) {
      const entries = Object.entries(JSON.parse(read('package.json')) as object);
      const sorted = Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
      write('package.json', `${JSON.stringify(sorted, null, '\t')}\n`);
    },
    outcomes: { 'package.json': 'merged' },
    has: { 'package.json': ['{\n\t"dependencies": {\n', '\t\t"nodemailer": "^10.7.0",\n'] },
  },
  {
    team: 'adds a compiler option',
    template: 'adds another beside it',
    upstream: [
      {
        path: 'base/files/_tsconfig.json',
        from: '"strict": true,',
        to: '"strict": true,\n    "noUncheckedSideEffectImports": true,',
      },
    ],
    apply: ({ replace }) =>
      replace(
        'tsconfig.json',
        '"strict": true,',
        '"strict": true,\n    "allowUnusedLabels": false,',
      ),
    outcomes: { 'tsconfig.json': 'merged' },
    has: {
      'tsconfig.json': [
        '"allowUnusedLabels": false',
        '"noUncheckedSideEffectImports": true',
        '"lib": ["ES2023", "ES2024.String"]',
      ],
    },
  },
  {
    team: 'relaxes a linter rule',
    template: 'adds one to the same group',
    upstream: [
      {
        path: 'base/files/_biome.json',
        from: '"noExplicitAny": "error",',
        to: '"noExplicitAny": "error",\n        "noDebugger": "error",',
      },
    ],
    apply: ({ replace }) => replace('biome.json', '"noConsole": "error"', '"noConsole": "warn"'),
    outcomes: { 'biome.json': 'merged' },
    has: { 'biome.json': ['"noConsole": "warn"', '"noDebugger": "error"'] },
  },
  {
    team: 'ignores a folder',
    template: 'ignores another, at the same place',
    upstream: [{ path: 'base/files/_gitignore', from: '.DS_Store\n', to: '.DS_Store\ntmp/\n' }],
    apply: ({ append }) => append('.gitignore', 'reports/\n'),
    outcomes: { '.gitignore': 'merged' },
    has: { '.gitignore': ['reports/\n', 'tmp/\n'] },
  },
  {
    team: 'adds variables',
    template: 'adds another',
    upstream: [
      {
        path: 'base/env.example',
        from: 'PORT=3000\n',
        to: 'PORT=3000\n# Where files lie that nobody needs later.\nSCRATCH_FOLDER=\n',
      },
    ],
    apply: ({ append }) => append('.env.example', '\n# Where the CRM is.\nCRM_URL=\n'),
    outcomes: { '.env.example': 'merged' },
    has: { '.env.example': ['CRM_URL=\n', 'SCRATCH_FOLDER=\n'] },
  },
  {
    team: 'adds a service to compose.yaml',
    template: 'changes another one',
    upstream: [
      {
        path: 'base/compose.yaml',
        from: '    init: true\n',
        to: '    init: true\n    stop_grace_period: 15s\n',
      },
    ],
    apply: ({ replace }) =>
      replace(
        'compose.yaml',
        '\nvolumes:\n',
        '\n  cache:\n    image: valkey/valkey:8 # as in production\nvolumes:\n',
      ),
    outcomes: { 'compose.yaml': 'merged' },
    has: { 'compose.yaml': ['valkey/valkey:8 # as in production', 'stop_grace_period: 15s'] },
  },
  {
    team: 'tests on one version of Node only, and deploys',
    template: 'drops another version',
    upstream: [
      ...['base/files', 'databases/database-server/files'].flatMap((files) => [
        {
          path: `${files}/.github/workflows/ci.yml.ejs`,
          from: 'node: [20, 22, 24, 26]',
          to: 'node: [22, 24, 26]',
        },
        {
          path: `${files}/.github/workflows/ci.yml.ejs`,
          from: 'timeout-minutes: 15',
          to: 'timeout-minutes: 20',
        },
      ]),
    ],
    apply({ replace, append }) {
      replace('.github/workflows/ci.yml', 'node: [20, 22, 24, 26]', 'node: [24]');
      append('.github/workflows/ci.yml', '      - run: ./deploy.sh # ours\n');
    },
    outcomes: { '.github/workflows/ci.yml': 'merged' },
    has: { '.github/workflows/ci.yml': ['timeout-minutes: 20', './deploy.sh # ours'] },
  },
  {
    team: 'installs a package in the image',
    template: 'changes another line',
    upstream: [{ path: 'base/files/Dockerfile.ejs', from: '--interval=10s', to: '--interval=15s' }],
    apply: ({ replace }) =>
      replace(
        'Dockerfile',
        'ENV NODE_ENV=production',
        'RUN apt-get update && apt-get install -y tini\nENV NODE_ENV=production',
      ),
    outcomes: { Dockerfile: 'merged' },
    has: { Dockerfile: ['install -y tini', '--interval=15s'] },
  },
  {
    team: 'adds a section to the README',
    template: 'changes a row of a table in it',
    upstream: [
      {
        path: 'base/files/README.md.ejs',
        from: '| change how mails look |',
        to: '| change the look of mails |',
      },
    ],
    apply: ({ replace }) =>
      replace(
        'README.md',
        '## I want to …',
        '## Who to call\n\nThe platform team.\n\n## I want to …',
      ),
    outcomes: { 'README.md': 'merged' },
    has: { 'README.md': ['The platform team.', '| change the look of mails |'] },
  },
  {
    team: 'replaces the README with its own',
    template: 'changes it',
    apply: ({ write }) => write('README.md', '# Sign-in of Acme\n\nAsk the platform team.\n'),
    outcomes: { 'README.md': 'conflict' },
    has: { 'README.md': ['# Sign-in of Acme\n\n<<<<<<< yours\nAsk the platform team.\n'] },
  },
];
