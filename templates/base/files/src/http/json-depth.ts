/** RFC 8259 §9 lets a reader set a limit. No client nests half as deep. */
const DEEPEST = 100;

/**
 * True for JSON that nests deeper than 100 levels: what walks it by recursion, a schema or
 * JSON.stringify, would run out of stack at some depth. This walks level by level.
 */
export function isTooDeep(json: unknown): boolean {
  let level = [json];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) return true;
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return false;
}
