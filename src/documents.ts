import * as z from 'zod/mini';

// What commands print with `--json`. At run time only the types are used; `npm run commands` writes
// `docs/output.schema.json` from it. A path is relative to the project, with slashes.

const owner = z.enum(['yours', 'list', 'ours', 'frozen']);
const count = z.int().check(z.nonnegative());
const texts = z.array(z.string());
const patch = z.optional(z.string()).check(z.describe('with --diff'));
const gitRemark = z.optional(z.string()).check(z.describe('why git was not called, or failed'));
/** Lines of a patch. */
const lines = { added: count, removed: count };

const choice = z.strictObject({
  name: z.string(),
  title: z.string(),
  hint: z.string(),
  isDefault: z.boolean(),
  requires: texts,
  needsOneOf: z.array(z.strictObject({ because: z.string(), givenBy: texts })),
  conflicts: texts,
  brings: z.strictObject({ files: count, packages: texts, variables: texts }),
});

const list = z.catchall(
  z.object({
    frameworks: z.array(choice),
    databases: z.array(choice),
    methods: z.array(choice),
    features: z.array(choice),
    answers: z.record(z.string(), z.unknown()).check(z.describe('answers.schema.json')),
  }),
  z.array(choice),
);

const planned = {
  directory: z.string(),
  version: z.string(),
  answers: z.record(z.string(), z.unknown()).check(z.describe('as answers.schema.json says')),
  remarks: texts.check(
    z.describe(
      'sentences about what was added because a choice needs it, defaults that did not fit, and the name of the package',
    ),
  ),
  files: texts,
  urls: z.record(z.string(), z.string()).check(z.describe('what it serves as soon as it runs')),
  replaced: texts.check(
    z.describe('with --force: files that are there with another text, unedited ones last'),
  ),
  removed: texts.check(z.describe('with --force: files of the project before, unedited')),
  kept: texts.check(z.describe('with --force: files of the project before, edited or migrations')),
  commandLine: z.string().check(z.describe('makes the same project again')),
};

const create = z.union([
  z.strictObject({
    ...planned,
    installed: z.boolean(),
    installProblem: z.optional(z.string()),
    committed: z.boolean(),
    gitRemark,
    nextSteps: texts,
  }),
  z.strictObject({ ...planned, dryRun: z.literal(true), patch }),
]);

const outcome = z.enum([
  'added',
  'updated',
  'merged',
  'moved',
  'removed',
  'unchanged',
  'kept',
  'deleted',
  'conflict',
  'no-base',
  'beside',
  'incomplete',
]);

const changedFile = z.strictObject({
  id: z.string().check(z.describe('the first path that the file ever had')),
  path: z.string(),
  from: z.optional(z.string()).check(z.describe('its path before, if it was another one')),
  owner,
  outcome,
  note: z.optional(z.string()),
  conflicts: z
    .optional(z.array(z.strictObject({ from: count, to: count })))
    .check(z.describe('the lines of each marked conflict, from 1')),
  missing: z
    .optional(
      z.array(
        z.strictObject({ name: z.string(), importedBy: texts, text: z.optional(z.string()) }),
      ),
    )
    .check(z.describe('what a file of yours has to export')),
  keptPatch: z.optional(z.string()).check(z.describe('the template patch that was not applied')),
});

const plannedChange = {
  title: z.string(),
  from: z.string(),
  to: z.string(),
  notes: texts,
  advisories: z.optional(
    z.strictObject({
      fixed: texts,
      left: z.array(z.strictObject({ id: z.string(), paths: texts })),
    }),
  ),
  summary: z.record(z.string(), count).check(z.describe('how many files have each outcome')),
  files: z.array(changedFile),
  moves: z
    .array(z.strictObject({ from: z.string(), path: z.string(), alike: z.number() }))
    .check(z.describe('taken for files that you have moved; alike in percent')),
  deletedLayers: texts,
  pending: texts.check(z.describe('paths that wait for a decision')),
  nextSteps: texts,
};

const change = z.union([
  z.strictObject({ ...plannedChange, written: count, committed: z.boolean(), gitRemark }),
  z.strictObject({ ...plannedChange, dryRun: z.literal(true), patch }),
]);

const upgradeContinue = z.strictObject({
  done: z.boolean(),
  pending: texts,
  open: z.optional(z.array(z.strictObject({ path: z.string(), reason: z.string() }))),
  nextSteps: z.optional(texts),
  committed: z.optional(z.boolean()),
});

const upgradeAbort = z.strictObject({
  aborted: z.boolean(),
  healed: z.boolean().check(z.describe('a run that was killed has been undone')),
  kept: texts.check(z.describe('copies of files written since then, and moved files with markers')),
});

const drifted = z.strictObject({
  edited: count,
  formatted: count,
  moved: count,
  deleted: count,
  lineEnds: count,
  unknown: count,
  ...lines,
});

const diff = z.strictObject({
  summary: z.record(z.string(), drifted).check(z.describe('by owner')),
  files: z.array(
    z.strictObject({
      path: z.string(),
      from: z.optional(z.string()).check(z.describe('where it was emitted, if you moved it')),
      owner,
      state: z.enum([
        'pristine',
        'edited',
        'formatted',
        'moved',
        'line ends',
        'mode',
        'deleted',
        'unknown',
      ]),
      ...lines,
      problem: z.optional(z.string()),
      patch: z.string(),
    }),
  ),
});

const diffUpstream = z.strictObject({
  from: z.string(),
  to: z.string(),
  pending: texts,
  files: z.array(
    z.strictObject({
      path: z.string(),
      from: changedFile.shape.from,
      owner,
      outcome,
      note: z.optional(z.string()),
      ...lines,
      patch: z.string(),
      keptPatch: changedFile.shape.keptPatch,
    }),
  ),
});

const doctor = z.strictObject({
  root: z.string(),
  madeBy: z.string().check(z.describe('the version that wrote the record last')),
  version: z.string().check(z.describe('the one that runs')),
  fixed: texts,
  problems: count,
  notes: count,
  findings: z.array(
    z.strictObject({
      about: z.string().check(z.describe('what was checked, in a word or two')),
      severity: z
        .enum(['problem', 'note', 'ok'])
        .check(z.describe('a problem makes the exit code 3; a note is worth knowing')),
      message: z.string(),
      remedy: z.optional(z.string()).check(z.describe('how to fix it')),
    }),
  ),
});

const error = z.strictObject({
  error: z.strictObject({
    message: z.string(),
    hint: z.optional(z.string()),
    bug: z.optional(z.literal(true)),
  }),
});

/** By the command, or by what it is asked to do. */
export const documents = {
  list,
  create,
  change,
  upgradeContinue,
  upgradeAbort,
  diff,
  diffUpstream,
  doctor,
  error,
};

/** What a command prints with `--json`. */
export type Document<Name extends DocumentName> = z.infer<(typeof documents)[Name]>;
export type DocumentName = keyof typeof documents;
