import type { Migration } from 'kysely';
import { migrationSteps } from './migration-steps.js';
import { runSteps } from './run-steps.js';

/**
 * A migration that the next `up` goes on with if one ends half-way, by an error or with its process.
 * These servers commit each change of tables by itself: without notes a run would meet what the one
 * before it made, and fail.
 */
export function resumable(name: string, { up, down = async () => {} }: Migration): Migration {
  return {
    async up(db) {
      const steps = migrationSteps(db);
      const noted = await steps.find(name);
      if (noted?.isUp) return runSteps(db, name, noted, up);
      if (noted) await runSteps(db, name, noted, down);
      return runSteps(db, name, await steps.begin(name, true), up);
    },

    async down(db) {
      const steps = migrationSteps(db);
      const other = await steps.findOther(name);
      if (other) throw new Error(`Migration ${other} has ended half-way: run \`up\` first.`);
      const begun = await steps.begin(name, false);
      // Should this end half-way, the service must not count as migrated.
      await steps.markPending(name);
      await runSteps(db, name, begun, down);
      await steps.forget(name);
    },
  };
}
