import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { parse } from 'yaml';

/** Text of a file by its path. */
export type Texts = ReadonlyMap<string, string>;

/** A Kubernetes resource, as far as tests read it. */
export type Resource = Record<string, unknown> & {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
};

interface Kustomization {
  resources?: string[];
  components?: string[];
  patches?: { path: string }[];
  secretGenerator?: { name: string; envs: string[] }[];
  generatorOptions?: { disableNameSuffixHash?: boolean };
}

/**
 * What `kubectl kustomize` would print for a folder, as far as our manifests need it: resources, components, and patches
 * that are merged strategically, lists by `name`. @throws Error if a file is missing, or a patch has no target
 */
export function kustomize(texts: Texts, folder: string, below: Resource[] = []): Resource[] {
  const { resources = [], components = [], patches = [] } = kustomizationOf(texts, folder);
  const own = resources.flatMap((path) => resourcesAt(texts, posix.join(folder, path)));
  let all = [...below, ...own];
  for (const component of components) {
    all = kustomize(texts, posix.join(folder, component), all);
  }
  for (const { path } of patches) {
    const patch = readYaml<Resource>(texts, posix.join(folder, path));
    if (!all.some((resource) => isSame(resource, patch))) throw new Error(`${path} has no target`);
    all = all.map((each) => (isSame(each, patch) ? (merged(each, patch) as Resource) : each));
  }
  return all;
}

/**
 * What `kubectl apply -k` applies: the output of `kustomize` and the Secrets generated from files. A Secret is named after
 * its content, and references to it get that name. @throws Error if a file is missing
 */
export function applied(texts: Texts, folder: string, resources: Resource[]): Resource[] {
  const { secretGenerator = [], generatorOptions } = kustomizationOf(texts, folder);
  return secretGenerator.reduce((all, { name, envs }) => {
    const content = envs.map((path) => textOf(texts, posix.join(folder, path))).join('\n');
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 10);
    const made = generatorOptions?.disableNameSuffixHash ? name : `${name}-${hash}`;
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: made }, content };
    return [...(renamed(all, name, made) as Resource[]), secret];
  }, resources);
}

/** The fields that refer to a Secret. */
const MENTIONS = ['secretRef', 'secretKeyRef', 'secretName', 'secret'];

function renamed(value: unknown, from: string, to: string, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, from, to));
  if (isRecord(value)) {
    const inMention = MENTIONS.includes(key);
    const entries = Object.entries(value).map(([name, held]) => [
      name,
      renamed(held, from, to, inMention && name === 'name' ? 'secretName' : name),
    ]);
    return Object.fromEntries(entries);
  }
  return key === 'secretName' && value === from ? to : value;
}

/** Every file that a kustomization names, itself included. */
export function filesOf(texts: Texts, folder: string): string[] {
  const { resources = [], components = [], patches = [] } = kustomizationOf(texts, folder);
  const named = [...resources, ...components, ...patches.map(({ path }) => path)];
  const paths = named.map((name) => posix.join(folder, name));
  return [
    `${folder}/kustomization.yaml`,
    ...paths.flatMap((path) => (path.endsWith('.yaml') ? [path] : filesOf(texts, path))),
  ];
}

export function readYaml<T>(texts: Texts, path: string): T {
  return parse(textOf(texts, path)) as T;
}

function textOf(texts: Texts, path: string): string {
  const text = texts.get(path);
  if (text === undefined) throw new Error(`${path} is missing`);
  return text;
}

function kustomizationOf(texts: Texts, folder: string): Kustomization {
  return readYaml<Kustomization>(texts, `${folder}/kustomization.yaml`);
}

function resourcesAt(texts: Texts, path: string): Resource[] {
  return path.endsWith('.yaml') ? [readYaml<Resource>(texts, path)] : kustomize(texts, path);
}

function isSame(one: Resource, other: Resource): boolean {
  return one.kind === other.kind && one.metadata.name === other.metadata.name;
}

function merged(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return mergedLists(one, other);
  if (!isRecord(one) || !isRecord(other)) return other;
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(
    keys.map((key) => [
      key,
      key in one && key in other ? merged(one[key], other[key]) : (one[key] ?? other[key]),
    ]),
  );
}

/** The merge key is `name` in all our lists except mounts. */
function mergedLists(one: unknown[], other: unknown[]): unknown[] {
  const keyOf = (item: unknown) => isRecord(item) && (item.mountPath ?? item.name);
  const kept = one.map((item) => {
    const same = other.find((each) => keyOf(each) === keyOf(item));
    return same === undefined ? item : merged(item, same);
  });
  const added = other.filter((item) => !one.some((each) => keyOf(each) === keyOf(item)));
  return [...kept, ...added];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
