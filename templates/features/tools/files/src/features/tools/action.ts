import type { z } from 'zod';
import type { Services } from '../../services.js';

/** What an action may use. */
export interface ActionContext {
  services: Services;
  /** Aborted when the script's time is over: stop then, nobody hears the answer. */
  signal: AbortSignal;
  /** The same for the same call of the same run: for services that know such keys. */
  idempotencyKey: string;
}

/** Something that scripts can do. What it takes and returns crosses the border as JSON. */
export interface Action {
  id: string;
  label: string;
  category: string;
  description: string;
  /** Actions that must be enabled too. */
  dependsOn: string[];
  input: z.ZodType;
  fn(input: unknown, context: ActionContext): Promise<unknown>;
}

interface ActionDefinition<Input extends z.ZodType>
  extends Omit<Action, 'input' | 'fn' | 'dependsOn'> {
  dependsOn?: string[];
  input: Input;
  fn(input: z.output<Input>, context: ActionContext): Promise<unknown>;
}

/** Defines an action; `fn` gets what `input` has parsed. */
export function defineAction<Input extends z.ZodType>(definition: ActionDefinition<Input>): Action {
  // Safe: `callAction` parses with this very schema.
  return { dependsOn: [], ...definition } as unknown as Action;
}
