import * as z from '../packages/zod.js';

const names = z._default(z.array(z.string()), []);

/** Asks which of a layer's own choices to include; each is a layer of group `choice` below its `choices/`. */
const choiceQuestion = z.strictObject({
  /** The answer's key, in camelCase; its flag is the same in kebab-case. */
  key: z.string(),
  title: z.string(),
  ask: z.string(),
});

/** `layer.json`: what a layer says about itself. Absent keys mean empty. */
export const layerFile = z.strictObject({
  title: z.string(),
  hint: z._default(z.string(), ''),
  /**
   * Which question offers it. `internal` layers come only because another one requires them; `choice` layers are
   * offered by the question of the layer whose folder they lie in.
   */
  group: z.literal(['base', 'database', 'framework', 'method', 'feature', 'internal', 'choice']),
  choices: z.optional(choiceQuestion),
  requires: names,
  conflicts: names,
  /** What this makes possible, for the `needs` of others. */
  gives: names,
  /** What another chosen layer must give → why nobody could use this without it. */
  needs: z._default(z.record(z.string(), z.string()), {}),
  /** An internal layer is added automatically where all of these are chosen: it connects them. */
  comesWith: names,
  /** Chosen by default. */
  default: z._default(z.boolean(), false),
  /** Its place in lists that people read. */
  order: z._default(z.number(), 0),
  /** Emitted paths of other layers that this one may take over. */
  replaces: names,
  /** Emitted paths that belong to the team: created once and never changed by an upgrade. */
  yours: names,
  /** Emitted paths that are lists; an upgrade merges them line by line. */
  lists: names,
  /** New emitted path → the path it had in the release before. */
  renamed: z._default(z.record(z.string(), z.string()), {}),
  /** Emitted paths of earlier releases that are gone. */
  removed: names,
  /** Where the routes of its folders, its own and those of other layers, are mounted by default. */
  mountedAt: z.optional(z.string()),
  /** Variables of the emitted tests. */
  testEnvironment: z._default(z.record(z.string(), z.string()), {}),
  /** Values of the configuration in emitted tests, beyond what variables allow. */
  testConfig: z._default(z.record(z.string(), z.number()), {}),
  /** Variables without which it does not start in production, for tests of that. */
  productionEnvironment: z._default(z.record(z.string(), z.string()), {}),
  /** The URLs of a service that was just made, by what each one is; `start` is where people begin. */
  urls: z._default(z.record(z.string(), z.string()), {}),
  /** Packages that the build of a project leaves in node_modules. */
  unbundled: names,
  /** What to type after creation; `{run}` stands for the package manager's way to run a script. */
  nextSteps: names,
});

const versions = z.optional(z.record(z.string(), z.string()));

/** What a layer's package.json may contain; the first keys only make it an npm workspace and are not emitted. */
export const packageFragment = z.strictObject({
  name: z.string(),
  private: z.literal(true),
  version: z.literal('0.0.0'),
  type: z.literal('module'),
  scripts: versions,
  dependencies: versions,
  devDependencies: versions,
  /** Versions of packages that other packages depend on. In this repository the root's package.json has them too. */
  overrides: versions,
});

export type PackageFragment = z.infer<typeof packageFragment>;

export type LayerGroup = z.infer<typeof layerFile>['group'];

/** A folder below `templates/`: its name, where it lies, what its `layer.json` says, and what lies in it. */
export interface Layer extends z.infer<typeof layerFile> {
  name: string;
  /** Absolute. */
  folder: string;
  /** The contents of its files by path below the folder, with slashes, sorted; without those of its choices. */
  files: () => ReadonlyMap<string, Buffer>;
  /** The layer that a `choice` belongs to. */
  choiceOf: string | undefined;
}
