/**
 * The entries directly below the `src/` of an emitted service, lowest first. A row may import from its own and from
 * those above it in this list; type-only imports may go the other way. `policy.ts` is the team's and may import
 * whatever does not import it. Anything not named here is an error.
 */
export const order: string[][] = [
  ['process', 'feature.ts', 'policy.ts'],
  ['http', 'db'],
  ['mail', 'events'],
  ['users'],
  ['session'],
  ['features'],
  ['services.ts', 'features.ts', 'config.ts', 'app.ts', 'commands', 'main.ts'],
];
