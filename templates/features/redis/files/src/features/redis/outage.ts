import type { Log } from '../../log.js';

export interface Outage {
  begin(error: unknown): void;
  end(): void;
}

/**
 * Logs once when Redis begins to fail and once when it works again, however many commands notice. Only
 * the message is logged: errors of Redis carry the command with its arguments, credentials among them.
 */
export function logOutage(log: Log, during: string, after: string): Outage {
  let isFailing = false;
  return {
    begin(error) {
      if (!isFailing) log.error({ reason: reasonOf(error) }, during);
      isFailing = true;
    },
    end() {
      if (isFailing) log.info(after);
      isFailing = false;
    },
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
