import { type Catalog, choicesOf, layersOf } from '../catalog/catalog.js';
import type { LayerGroup } from '../catalog/layer.js';
import { type OutputFlags, openTerminal } from '../terminal.js';

const titles: Partial<Record<LayerGroup, string>> = {
  framework: 'Frameworks',
  database: 'Databases',
  method: 'Methods',
  feature: 'Features',
};

/** Prints what can be chosen, each with what it brings and requires. */
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
  terminal.document(
    Object.fromEntries(
      groups.map(({ key, layers }) => [
        key,
        layers.map(({ name, title, hint, requires, conflicts }) => ({
          name,
          title,
          hint,
          requires,
          conflicts,
        })),
      ]),
    ),
  );
  if (flags.json) return;
  const widest = Math.max(...catalog.map(({ name }) => name.length));
  for (const { title, layers } of groups) {
    terminal.say(terminal.paint('bold', title));
    for (const { name, hint, requires } of layers) {
      const needs = requires.length > 0 ? ` (needs ${requires.join(', ')})` : '';
      terminal.say(`  ${terminal.paint('cyan', name.padEnd(widest))}  ${hint}${needs}`);
    }
    terminal.say('');
  }
}
