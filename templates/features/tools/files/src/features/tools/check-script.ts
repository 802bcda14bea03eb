import { type Node, parse } from 'acorn';

export const SCRIPT_LENGTH = 64_000;

const FORBIDDEN: Record<string, string> = {
  // It rejects with an error of the host's realm, which would be an escape from the sandbox.
  ImportExpression: 'import() is not allowed.',
  MetaProperty: 'import.meta and new.target are not allowed.',
};

/**
 * Why a text is not the body of an async function; undefined if it is. Checked when a script is saved and
 * again when it runs, because it may have reached the database by another way.
 */
export function scriptProblem(script: string): string | undefined {
  if (script.length > SCRIPT_LENGTH) return `Use at most ${SCRIPT_LENGTH} characters.`;
  try {
    // Parsed without the function around it, which it could otherwise close to continue outside.
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

/** All nodes of a tree. Not recursive: a script may be nested deeper than our stack. */
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
