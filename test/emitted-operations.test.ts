import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { fullCombinations, largest } from '../scripts/matrix/combinations.js';
import { packageManagerNames, packageManagers } from '../src/answers/package-managers.js';
import type { Answers } from '../src/answers/questions.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { templatesFolder } from '../src/package-root.js';
import { planFromTemplates } from '../src/plan/plan-project.js';

// What a reviewer expects of the files beside the code. Other tests run them: compose.test.ts and package-managers.test.ts.

const catalog = readCatalog(templatesFolder);

async function filesOf(answers: Answers) {
  const { files } = planFromTemplates(catalog, { ...answers, name: 'x' });
  return new Map(files.map(({ path, content }) => [path, content.toString()]));
}

const workflow = z.object({
  on: z.object({ schedule: z.array(z.object({ cron: z.string() })), pull_request: z.unknown() }),
  permissions: z.object({ contents: z.literal('read') }).strict(),
  jobs: z.object({
    packages: z.object({
      steps: z.array(z.object({ run: z.string().default(''), uses: z.string().default('') })),
    }),
  }),
});

test.each(packageManagerNames)(
  'the CI of a project with %s lists its packages, keeps the list, and then asks what is known against them, every week too',
  async (packageManager) => {
    const files = await filesOf({ ...largest(catalog), packageManager });
    const text = files.get('.github/workflows/packages.yml') ?? '';
    const { on, jobs } = workflow.parse(parse(text));
    expect(on.schedule[0]?.cron).toMatch(/^\d+ \d+ \* \* [0-6]$/);
    expect('pull_request' in on).toBe(true);
    const steps = jobs.packages.steps.map(({ run, uses }) => run || uses);
    const at = (part: string) => steps.findIndex((step) => step.includes(part));
    const order = [
      at(packageManagers[packageManager].flat),
      at('npm sbom --omit=dev --sbom-format=cyclonedx'),
      at('actions/upload-artifact'),
      at(packageManagers[packageManager].audit),
    ];
    expect(order.every((place, nth) => place > (order[nth - 1] ?? -1))).toBe(true);
    expect(packageManagers[packageManager].audit).toMatch(/\baudit\b.*high/);
    expect(text).not.toContain('continue-on-error');
  },
);

test.each(packageManagerNames)(
  'a project with %s names its scripts as that runs them',
  async (packageManager) => {
    const files = await filesOf({ ...largest(catalog), packageManager });
    const runs = [...files.values()].flatMap(
      (text) => text.match(/\b\w+ run (?=(?:dev|security|admin)\b)/g) ?? [],
    );
    expect([...new Set(runs)]).toEqual([`${packageManagers[packageManager].run} `]);
  },
);

/** A variable without which Docker Compose starts nothing. */
const DRAWN = /^\$\{DATABASE_PASSWORD:\?[^}]+\}$/;

const compose = z.object({
  services: z.record(
    z.string(),
    z.object({
      environment: z.record(z.string(), z.string()).default({}),
      ports: z.array(z.string()).default([]),
      command: z.string().default(''),
    }),
  ),
});

const { framework } = largest(catalog);

test.each(fullCombinations(catalog).filter((each) => each.framework === framework))(
  'compose.yaml with $database holds no password: what needs one refuses to start without it, and is open to this machine alone',
  async (answers) => {
    const files = await filesOf(answers);
    const { services } = compose.parse(parse(files.get('compose.yaml') ?? ''));
    for (const [name, { environment, ports, command }] of Object.entries(services)) {
      for (const [variable, value] of Object.entries(environment)) {
        if (/PASSWORD|SECRET|TOKEN|_KEY$/.test(variable)) {
          expect([name, variable, value]).toEqual([name, variable, expect.stringMatching(DRAWN)]);
        }
        const [, written] = /^\w+:\/\/[^/@:]*:([^@]+)@/.exec(value) ?? [];
        if (written !== undefined) expect(written).toMatch(DRAWN);
      }
      expect(command).not.toMatch(/pass/i);
      for (const port of ports)
        expect([name, port]).toEqual([name, expect.stringMatching(/^127\.0\.0\.1:/)]);
    }
    // Nor does the file that a team copies: secrets are generated into `.env`.
    const example = files.get('.env.example') ?? '';
    const given = [...example.matchAll(/^(\w*(?:SECRET|PASSWORD|TOKEN|KEY))=(.+)$/gm)];
    expect(given.map(([line]) => line)).toEqual([]);
  },
);
