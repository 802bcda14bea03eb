import type { z } from 'zod';
import type { Services } from '../../services.js';
import { type Account, requirePermission } from '../../users/account.js';

export interface ActionContext {
  services: Services;
  /** Who acts, for the audit log. */
  actor: string;
  /** Aborted when the script ends: nobody reads the result any more. */
  signal: AbortSignal;
  /** Constant for one call of one run, for services that accept idempotency keys. */
  idempotencyKey: string;
}

/** Something that scripts can do. Its input and result cross the boundary as JSON. */
export interface Action {
  id: string;
  label: string;
  category: string;
  description: string;
  /** Actions that must be enabled too. */
  dependsOn: string[];
  /** `<resource>:<action>`: only who holds it may let a script use this. */
  permission?: string;
  /** True if it does more than read: then the webhook needs a secret. */
  changes?: boolean;
  /** Throws if `input` is invalid or the action fails; the script can catch it. */
  run(input: unknown, context: ActionContext): Promise<unknown>;
}

interface ActionDefinition<Input extends z.ZodType> extends Omit<Action, 'dependsOn' | 'run'> {
  dependsOn?: string[];
  input: Input;
  fn(input: z.output<Input>, context: ActionContext): Promise<unknown>;
}

/** Throws FORBIDDEN unless the caller may do themselves what the actions do. */
export function requirePermissions(caller: Account, used: Action[]): void {
  for (const { permission } of used) {
    if (permission) requirePermission(caller, permission);
  }
}

/** Defines an action; `fn` gets the parsed input. */
export function defineAction<Input extends z.ZodType>({
  dependsOn = [],
  input: schema,
  fn,
  ...about
}: ActionDefinition<Input>): Action {
  async function run(input: unknown, context: ActionContext): Promise<unknown> {
    const parsed = schema.safeParse(input);
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
