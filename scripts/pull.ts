import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { suggestion } from '../src/answers/check.js';
import type { Layer } from '../src/catalog/layer.js';
import { UserError } from '../src/errors.js';
import { bringHome } from './play/bring-home.js';
import { type Edit, findEdits } from './play/edits.js';
import { playFolder } from './play/folder.js';
import { readRecord, writeRecord } from './play/record.js';
import { render } from './play/render.js';
import { runScript } from './play/run-script.js';

/**
 * Brings edits made in a rendered project, `playground/play` if no other is named, home to the layer that each file comes
 * from. What cannot go home is named with the place to edit; the exit code is 1 then.
 */
await runScript(async () => {
  const { folder, layerName } = readFlags();
  const { answers, pristine } = readRecord(folder);
  const rendering = await render(answers);
  const into = layerName === undefined ? undefined : chosenLayer(rendering.layers, layerName);
  const edits = findEdits(folder, pristine, rendering);
  const outcomes = edits.map((edit) => ({ edit, ...bringHome(edit, rendering, into) }));
  for (const { line } of outcomes) console.log(line);
  if (outcomes.length === 0) console.log(`No edits in ${relative('.', folder)}.`);
  await recordPulled(
    folder,
    pristine,
    outcomes.filter(({ isOpen }) => !isOpen).map(({ edit }) => edit),
  );
  if (outcomes.some(({ isOpen }) => isOpen)) process.exitCode = 1;

  /** The next edit of a pulled file is held against what was pulled; all else stays as it was rendered. */
  async function recordPulled(folder: string, pristine: Map<string, Buffer>, pulled: Edit[]) {
    if (pulled.length === 0) return;
    const { plan } = await render(answers);
    const files = plan.files.flatMap((file) => {
      if (pulled.some(({ path }) => path === file.path)) return [file];
      const content = pristine.get(file.path);
      return content ? [{ ...file, content }] : [];
    });
    await writeRecord(folder, { ...plan, files });
  }
});

function readFlags(): { folder: string; layerName: string | undefined } {
  try {
    const options = { into: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [folder = playFolder] = positionals;
    return { folder: resolve(folder), layerName: values.into };
  } catch (error) {
    throw new UserError((error as Error).message, 1, 'npm run pull -- [project] [--into <layer>]');
  }
}

/** `password` or `features/password`, if the project has that layer: elsewhere its files would not come from there. */
function chosenLayer(layers: Layer[], wanted: string): Layer {
  const name = wanted.replace(/^.*\//, '');
  const layer = layers.find((candidate) => candidate.name === name);
  if (layer) return layer;
  const names = layers.map((candidate) => candidate.name);
  throw new UserError(`This project has no layer ${name}.`, 1, suggestion(name, names));
}
