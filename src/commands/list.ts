import { answersJsonSchema } from '../answers/json-schema.js';
import { offeredNeeds, questionsFrom } from '../answers/questions.js';
import { type Catalog, choicesOf, layersOf, neededAbilities } from '../catalog/catalog.js';
import { contributionOf } from '../catalog/contribution.js';
import type { LayerGroup } from '../catalog/layer.js';
import { type OutputFlags, openTerminal } from '../terminal.js';

const titles: Partial<Record<LayerGroup, string>> = {
  framework: 'Frameworks',
  database: 'Databases',
  method: 'Methods',
  feature: 'Features',
};

/** Prints all choices, each with what it brings and requires; for programs also the JSON Schema of all answers. */
export function list(catalog: Catalog, flags: OutputFlags): void {
  const terminal = openTerminal(flags);
  const groups = [
    ...Object.entries(titles).map(([group, title]) => ({
      key: title.toLowerCase(),
      title,
      layers: layersOf(catalog, group as LayerGroup),
    })),
    ...catalog.flatMap(({ name, choices }) =>
      choices ? [{ key: choices.key, title: choices.title, layers: choicesOf(catalog, name) }] : [],
    ),
  ];
  if (flags.json) {
    const described = groups.map(({ key, layers }) => [
      key,
      layers.map((layer) => ({
        name: layer.name,
        title: layer.title,
        hint: layer.hint,
        isDefault: layer.default,
        requires: layer.requires,
        needsOneOf: neededAbilities(catalog, layer),
        conflicts: layer.conflicts,
        brings: contributionOf(catalog, layer.name),
      })),
    ]);
    const answers = answersJsonSchema(questionsFrom(catalog));
    terminal.document<'list'>({ ...Object.fromEntries(described), answers });
    return;
  }
  const widest = Math.max(...catalog.map(({ name }) => name.length));
  for (const { title, layers } of groups) {
    terminal.say(terminal.paint('bold', title));
    for (const layer of layers) {
      const named = new Set(offeredNeeds(catalog, layer));
      const others = neededAbilities(catalog, layer).map(
        ({ givenBy }) => `one of ${givenBy.join(', ')}`,
      );
      const all = [...named, ...others];
      const needs = all.length > 0 ? ` (needs ${all.join(', ')})` : '';
      terminal.say(`  ${terminal.paint('cyan', layer.name.padEnd(widest))}  ${layer.hint}${needs}`);
    }
    terminal.say('');
  }
}
