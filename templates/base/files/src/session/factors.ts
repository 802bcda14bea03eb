import type { Services } from '../services.js';
import type { Account } from '../users/account.js';

/** Something that a user may have to show who they are. */
export interface Factor {
  /** As sessions, challenges and events name it. */
  name: string;
  /** True if this user has it. */
  isAvailable(services: Services, account: Account): Promise<boolean>;
}

/** The factors that a session has shown, each with the time of the last time (ms). */
export type ShownFactors = Record<string, number>;

/** The names of the strong factors that an account has: `strong` routes take nothing less from it. */
export async function strongFactorsOf(services: Services, account: Account): Promise<string[]> {
  const names: string[] = [];
  for (const { strongFactor: factor } of services.features) {
    if (factor && (await factor.isAvailable(services, account))) names.push(factor.name);
  }
  return names;
}

/**
 * How a session was opened and strengthened, for the claim `amr`: values of RFC 8176 where it has one, else
 * the method's name. `mfa` stands for a strong factor beside another one, never for two that one mailbox opens.
 */
export function amrOf({ features }: Pick<Services, 'features'>, shown: ShownFactors): string[] {
  const names = Object.keys(shown);
  const values: Record<string, string> = Object.assign({}, ...features.map(({ amr }) => amr));
  const isStrong = features.some(({ strongFactor }) => names.includes(strongFactor?.name ?? ''));
  return [...names.map((name) => values[name] ?? name), ...(isStrong && names[1] ? ['mfa'] : [])];
}
