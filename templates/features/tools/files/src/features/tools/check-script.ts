import { type Node, parse } from 'acorn';

export const SCRIPT_LENGTH = 64_000;

const FORBIDDEN: Record<string, string> = {
  // Rejects with an error of the host's realm: a way out of the sandbox.
  ImportExpression: 'import() is not possible.',
  MetaProperty: 'import.meta and new.target are not possible.',
};

/**
 * What keeps a text from being the body of an async function; undefined if nothing does. Asked when a
 * script is saved and again when it runs: what is stored may have come by another way.
 */
export function scriptProblem(script: string): string | undefined {
  if (script.length > SCRIPT_LENGTH) return `At most ${SCRIPT_LENGTH} characters.`;
  try {
    // Parsed by itself, not in its function: so it cannot close the function and go on outside of it.
    const program = parse(script, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
      allowHashBang: false,
    });
    const found = nodesOf(program).find(({ type }) => type in FORBIDDEN);
    return found && FORBIDDEN[found.type];
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
    return 'The script is nested too deeply.';
  }
}

/** All nodes of a tree. Without recursion: a script may nest deeper than our stack. */
function nodesOf(root: Node): Node[] {
  const found: Node[] = [];
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null || value instanceof RegExp) continue;
    if (isNode(value)) found.push(value);
    pending.push(...Object.values(value));
  }
  return found;
}

function isNode(value: object): value is Node {
  return 'type' in value && typeof value.type === 'string';
}
