import type * as z from 'zod';
import { inPlainWords } from '../../http/body.js';
import type { Text } from '../../http/html.js';
import type { RequestInfo } from '../../http/request.js';
import type { Services } from '../../services.js';

export interface ActionContext {
  services: Services;
  /** Who acts, for the audit log. */
  actor: string;
  /** The call that runs the script. */
  request: RequestInfo;
  /** Aborted when the run ends, at the latest at its time limit: then nobody reads the result. */
  signal: AbortSignal;
  /** Constant for one call of one run, for services that accept idempotency keys. */
  idempotencyKey: string;
}

/** Something that scripts can do. Its input and result are passed as JSON. */
interface ActionDefinition<Input extends z.ZodType> {
  id: string;
  /** In the panel; the API gives the English of both. */
  label: Text;
  category: string;
  description: Text;
  /** Actions that must be enabled too. */
  dependsOn?: string[];
  /** `<resource>:<action>`: only users with this permission may let a script use the action. */
  permission?: string;
  /**
   * True if it does more than read: then the webhook must have a secret, and `fn` records what it did with `recordAct`,
   * in the transaction that does it.
   */
  changes?: boolean;
  input: Input;
  fn(input: z.output<Input>, context: ActionContext): Promise<unknown>;
}

export type Action = ReturnType<typeof defineAction>;

/** Defines an action; `fn` gets the parsed input. `run` throws if it is invalid or the action fails. */
export function defineAction<Input extends z.ZodType>({
  dependsOn = [],
  input: schema,
  fn,
  ...about
}: ActionDefinition<Input>) {
  async function run(input: unknown, context: ActionContext): Promise<unknown> {
    const parsed = schema.safeParse(input, { error: inPlainWords });
    if (!parsed.success) {
      const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
      throw new Error(`${about.id}: ${issues.join('; ').trim()}`);
    }
    try {
      return await fn(parsed.data, context);
    } catch (error) {
      // The script learns only that it failed: the reason could reveal internals.
      context.services.log.warn({ err: error, action: about.id }, 'an action failed');
      throw new Error(`${about.id} failed.`);
    }
  }

  return { ...about, dependsOn, run };
}
