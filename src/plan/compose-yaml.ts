import type { Fragments } from '../catalog/read-sources.js';

/** A line of block-style YAML, the comment above it, and the lines that are indented below it. */
interface Block {
  comment: string[];
  line: string;
  below: Block[];
}

/**
 * Merges the layers' compose files key by key; comments and order stay as they are written. Mappings must be in block
 * style, one key per line: then indentation is enough, and no parser has to be loaded (see decision 4).
 * @returns undefined if no layer has one
 * @throws Error if two layers give one key different values
 */
export function mergeComposeFiles(fragments: Fragments[]): string | undefined {
  const texts = fragments.flatMap(({ compose }) => compose ?? []);
  if (texts.length === 0) return undefined;
  const merged: Block[] = [];
  for (const text of texts) mergeInto(merged, blocksOf(text));
  return `${linesOf(merged).join('\n')}\n`;
}

function blocksOf(text: string): Block[] {
  const top: Block[] = [];
  const open = [{ indent: -1, blocks: top }];
  let comment: string[] = [];
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    if (/^\s*#/.test(line)) {
      comment.push(line);
      continue;
    }
    const indent = line.search(/\S/);
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    const block = { comment, line, below: [] };
    open.at(-1)?.blocks.push(block);
    open.push({ indent, blocks: block.below });
    comment = [];
  }
  return top;
}

function mergeInto(target: Block[], others: Block[]): void {
  for (const other of others) {
    const same = target.find(({ line }) => keyOf(line) === keyOf(other.line));
    if (!same) target.push(other);
    else if (same.line === other.line) mergeInto(same.below, other.below);
    else throw new Error(`two layers disagree in compose.yaml: ${same.line} and ${other.line}`);
  }
}

/** `image` for `image: node`; an item of a list is its own key. */
function keyOf(line: string): string {
  return /^\s*(?!- )[^\s:]+(?=:)/.exec(line)?.[0] ?? line;
}

function linesOf(blocks: Block[]): string[] {
  return blocks.flatMap(({ comment, line, below }) => [...comment, line, ...linesOf(below)]);
}
