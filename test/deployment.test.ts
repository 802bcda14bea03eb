import { expect, test } from 'vitest';
import * as z from 'zod';
import { fullCombinations } from '../scripts/matrix/combinations.js';
import { layersOf } from '../src/catalog/catalog.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { templatesFolder } from '../src/package-root.js';
import { planFromTemplates } from '../src/plan/plan-project.js';
import {
  applied,
  filesOf,
  kustomize,
  type Resource,
  readYaml,
  type Texts,
} from './support/kustomize.js';
import { workload } from './support/workload.js';

const catalog = readCatalog(templatesFolder);
const production = 'deploy/kubernetes/production';

/** The API versions in which these kinds have been stable since Kubernetes 1.25. */
const stable: Record<string, string> = {
  Deployment: 'apps/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
  Namespace: 'v1',
  NetworkPolicy: 'networking.k8s.io/v1',
  PersistentVolumeClaim: 'v1',
  PodDisruptionBudget: 'policy/v1',
  Service: 'v1',
};

interface Deployed {
  name: string;
  texts: Texts;
  resources: Resource[];
}

interface Compose {
  services: Record<string, { volumes?: string[] }>;
  volumes: object;
}

const [framework] = layersOf(catalog, 'framework');

// Deployments are the same for all frameworks.
const deployed = await Promise.all(
  fullCombinations(catalog)
    .filter((answers) => answers.framework === framework?.name)
    .map(async (answers): Promise<Deployed> => {
      const { files } = planFromTemplates(catalog, answers);
      const texts = new Map(files.map(({ path, content }) => [path, content.toString()]));
      return { name: answers.name, texts, resources: withComponents(texts) };
    }),
);

/** Everything that can be applied, optional components included. */
function withComponents(texts: Texts): Resource[] {
  const components = foldersOf(texts).filter(
    (folder) =>
      readYaml<{ kind: string }>(texts, `${folder}/kustomization.yaml`).kind === 'Component',
  );
  return components.reduce(
    (below, folder) => kustomize(texts, folder, below),
    kustomize(texts, production),
  );
}

function foldersOf(texts: Texts): string[] {
  return [...texts.keys()]
    .filter((path) => /^deploy\/.*\/kustomization\.yaml$/.test(path))
    .map((path) => path.replace('/kustomization.yaml', ''));
}

function workloadsOf({ resources }: Deployed) {
  return resources
    .filter(({ kind }) => kind === 'Deployment')
    .map((resource) => {
      const { spec } = workload.parse(resource);
      const [main] = spec.template.spec.containers;
      if (!main) throw new Error('there is no container');
      return {
        name: resource.metadata.name,
        kind: resource.kind,
        spec,
        pod: spec.template.spec,
        main,
      };
    });
}

/** The workload of the service itself. */
function serviceOf(each: Deployed) {
  const found = workloadsOf(each).find(
    ({ name, kind }) => name === 'auth' && kind === 'Deployment',
  );
  if (!found) throw new Error('the service is not deployed');
  return found;
}

/** The containers of all pods. */
function containersOf(each: Deployed) {
  return workloadsOf(each).flatMap(({ pod, main }) => [...pod.initContainers, main]);
}

const of = (each: Deployed, kind: string) => each.resources.filter((one) => one.kind === kind);

test.each(deployed)(
  '$name: every manifest is named by a kustomization, and every name has a manifest',
  ({ texts }) => {
    const there = [...texts.keys()].filter((path) => path.startsWith('deploy/')).sort();
    expect(there.length).toBeGreaterThan(5);
    const named = foldersOf(texts).flatMap((folder) => filesOf(texts, folder));
    expect([...new Set(named)].sort()).toEqual(there);
  },
);

test.each(deployed)(
  '$name: each resource is of a stable kind and has a name of its own',
  ({ resources }) => {
    const odd = resources.filter(({ apiVersion, kind }) => stable[kind] !== apiVersion);
    expect(odd).toEqual([]);
    const names = resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names.filter((name, position) => names.indexOf(name) !== position)).toEqual([]);
    for (const name of names) expect(name).toMatch(/^\w+ [a-z\d]([a-z\d-]{0,61}[a-z\d])?$/);
  },
);

test.each(deployed)(
  '$name: every selector finds pods, and every port and volume is there',
  (each) => {
    const workloads = workloadsOf(each);
    const selections = each.resources.flatMap(({ kind, spec }) => selectorsIn(kind, spec));
    expect(selections.length).toBeGreaterThan(2);
    for (const selector of selections) {
      const found = workloads.filter(({ spec }) =>
        Object.entries(selector).every(
          ([key, value]) => spec.template.metadata.labels[key] === value,
        ),
      );
      expect(found.map(({ name }) => name)).toHaveLength(1);
    }
    const ports = workloads.flatMap(({ main }) => main.ports.map(({ name }) => name));
    const wanted = JSON.stringify(each.resources).match(/"(?:targetPort|port)":"\w+"/g) ?? [];
    expect(wanted.filter((text) => !ports.includes(/(\w+)"$/.exec(text)?.[1] ?? ''))).toEqual([]);
    const claims = of(each, 'PersistentVolumeClaim').map(({ metadata }) => metadata.name);
    for (const { pod, main } of workloads) {
      const volumes = pod.volumes.map(({ name }) => name).sort();
      expect(main.volumeMounts.map(({ name }) => name).sort()).toEqual(volumes);
      const claimed = pod.volumes.flatMap((one) => one.persistentVolumeClaim?.claimName ?? []);
      expect(claimed.filter((name) => !claims.includes(name))).toEqual([]);
    }
  },
);

function selectorsIn(kind: string, spec: unknown): Record<string, string>[] {
  const found: Record<string, string>[] = [];
  JSON.stringify(spec ?? null, (key, value) => {
    if (key === 'matchLabels' || (key === 'selector' && kind === 'Service')) found.push(value);
    return value;
  });
  return found;
}

test.each(deployed)(
  '$name: variables, port, probes and commands are those of the service',
  (each) => {
    const { texts } = each;
    const known = [...(texts.get('.env.example') ?? '').matchAll(/^([A-Z][A-Z\d_]*)=/gm)];
    const names = known.map(([, name]) => name);
    const { main } = serviceOf(each);
    for (const other of containersOf(each)) {
      expect(other.env.filter(({ name }) => !names.includes(name))).toEqual([]);
    }
    const port = main.env.find(({ name }) => name === 'PORT')?.value;
    expect(main.ports).toEqual([{ name: 'http', containerPort: Number(port) }]);
    expect(texts.get('Dockerfile')).toContain(`EXPOSE ${port}`);
    const routes = texts.get('src/features/health/feature.ts') ?? '';
    for (const { httpGet } of [main.startupProbe, main.readinessProbe, main.livenessProbe].flatMap(
      (one) => one ?? [],
    )) {
      expect(routes).toContain(`'${httpGet?.path}'`);
    }
    expect(main.readinessProbe?.httpGet?.path).toBe('/readyz');
    for (const { command = [] } of containersOf(each)) {
      const script = command.find((word) => word.startsWith('dist/'));
      const source = script?.replace(/^dist\/(.*)js$/, 'src/commands/$1ts');
      if (source) expect([...texts.keys()]).toContain(source);
    }
  },
);

test.each(deployed)(
  '$name: secrets come from a file that neither git nor the image takes',
  (each) => {
    const { secretGenerator, images } = readYaml<{
      secretGenerator: { name: string; envs: string[] }[];
      images: { name: string }[];
    }>(each.texts, `${production}/kustomization.yaml`);
    expect(secretGenerator).toEqual([{ name: 'auth-environment', envs: ['secrets.env'] }]);
    expect(each.texts.get('.gitignore')?.split('\n')).toContain('secrets.env');
    expect(each.texts.get('.dockerignore')?.split('\n')).toContain('deploy');
    const own = containersOf(each).filter(({ image }) => image === images[0]?.name);
    for (const { envFrom } of own) {
      expect(envFrom).toEqual([{ secretRef: { name: 'auth-environment' } }]);
    }
    expect(own.length).toBeGreaterThanOrEqual(1);
  },
);

/** The fields that a cluster refuses to change in an existing resource. There is no Job, bare Pod or StatefulSet. */
const fixed: Record<string, (spec: Resource['spec']) => unknown> = {
  Deployment: (spec) => z.object({ selector: z.unknown() }).parse(spec).selector,
  HorizontalPodAutoscaler: () => undefined,
  Namespace: () => undefined,
  NetworkPolicy: () => undefined,
  PersistentVolumeClaim: (spec) => spec,
  PodDisruptionBudget: () => undefined,
  Secret: () => undefined,
  Service: () => undefined,
};

test.each(deployed)(
  '$name: a changed secret can be applied over the former one, and new instances start with it',
  (each) => {
    const applyWith = (secrets: string) => {
      const texts = new Map(each.texts).set(`${production}/secrets.env`, secrets);
      return applied(texts, production, each.resources);
    };
    const before = applyWith('DATA_KEY=former\n');
    const after = applyWith('DATA_KEY=latter\n');
    // Applying the same again changes nothing.
    expect(applyWith('DATA_KEY=former\n')).toEqual(before);

    for (const { kind, metadata, spec } of after) {
      const fixedOf = fixed[kind];
      if (!fixedOf) throw new Error(`${kind} ${metadata.name} can perhaps not be applied again`);
      const was = before.find((one) => one.kind === kind && one.metadata.name === metadata.name);
      if (was) expect(fixedOf(spec)).toEqual(fixedOf(was.spec));
    }

    const nameOf = (all: Resource[]) => all.find(({ kind }) => kind === 'Secret')?.metadata.name;
    expect(nameOf(after)).not.toBe(nameOf(before));
    // The pods are replaced, and their init containers migrate again: each reads the current Secret.
    const [was, is] = [before, after].map((resources) => serviceOf({ ...each, resources }).pod);
    expect(is).not.toEqual(was);
    for (const [pod, secret] of [
      [was, nameOf(before)],
      [is, nameOf(after)],
    ] as const) {
      const containers = [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])];
      const read = containers.flatMap(({ envFrom }) => envFrom.map(({ secretRef }) => secretRef));
      expect(read).toEqual(containers.map(() => ({ name: secret })));
    }
  },
);

test.each(deployed)('$name: an instance has the time that its shutdown takes', (each) => {
  const { pod, main } = serviceOf(each);
  const pause = z
    .object({
      preStop: z.object({
        exec: z.object({ command: z.tuple([z.literal('sleep'), z.coerce.number()]) }),
      }),
    })
    .parse(main.lifecycle).preStop.exec.command[1];
  const [, shutdown] = /SHUTDOWN_MS = ([\d_]+)/.exec(each.texts.get('src/main.ts') ?? '') ?? [];
  const ends = Number(shutdown?.replaceAll('_', '')) / 1000;
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(pause + ends);
});

test.each(deployed)('$name: no more instances than its database can serve', (each) => {
  const { spec, main, pod } = serviceOf(each);
  const autoscalers = of(each, 'HorizontalPodAutoscaler');
  if (main.volumeMounts.some(({ name }) => name === 'data')) {
    expect([spec.replicas, spec.strategy?.type]).toEqual([1, 'Recreate']);
    expect([...autoscalers, ...of(each, 'PodDisruptionBudget')]).toEqual([]);
    expect(main.env).toContainEqual({ name: 'MIGRATE_ON_START', value: 'on' });
    return;
  }
  const { minReplicas, maxReplicas } = z
    .object({
      minReplicas: z.number(),
      maxReplicas: z.number(),
      scaleTargetRef: z.object({ name: z.literal('auth') }),
    })
    .parse(autoscalers[0]?.spec);
  const [, pool] = /^DATABASE_POOL_SIZE=(\d+)$/m.exec(each.texts.get('.env.example') ?? '') ?? [];
  expect(spec.replicas).toBeUndefined();
  expect(minReplicas).toBeGreaterThanOrEqual(2);
  // One more during a release; PostgreSQL allows 100 connections by default, of which 3 are reserved.
  expect((maxReplicas + 1) * Number(pool)).toBeLessThan(97);
  expect(main.env).toContainEqual({ name: 'MIGRATE_ON_START', value: 'off' });
  const [migration] = pod.initContainers;
  expect(migration?.command).toEqual(['node', 'dist/migrate.js', 'up']);
});

test('each database has a volume of its own in compose.yaml: no server takes the files of another', () => {
  const mounted = deployed.map(({ texts }) => {
    const { services, volumes } = readYaml<Compose>(texts, 'compose.yaml');
    const named = Object.values(services).flatMap((service) => service.volumes ?? []);
    expect(named.map((each) => each.split(':')[0])).toEqual(Object.keys(volumes));
    return Object.keys(volumes);
  });
  expect(new Set(mounted.flat()).size).toBe(deployed.length);
});
