import type { Services } from '../services.js';
import type { Account } from '../users/account.js';

/** An authentication factor. */
export interface Factor {
  /** As sessions, challenges and events name it. */
  name: string;
  /** True if this user has it. */
  isAvailable(services: Services, account: Account): Promise<boolean>;
}

/** The factors that were verified in a session, each with the time of its latest verification (ms). */
export type ShownFactors = Record<string, number>;

/** The names of the strong factors that an account has: `strong` routes accept nothing weaker from it. */
export async function strongFactorsOf(services: Services, account: Account): Promise<string[]> {
  const names: string[] = [];
  for (const { strongFactor: factor } of services.features) {
    if (factor && (await factor.isAvailable(services, account))) names.push(factor.name);
  }
  return names;
}

/**
 * How a session was opened and strengthened, for the claim `amr`: values of RFC 8176 where there are any,
 * else the method's name. `mfa` means a strong factor besides another one, never two that one mailbox opens.
 */
export function amrOf({ features }: Pick<Services, 'features'>, shown: ShownFactors): string[] {
  const names = Object.keys(shown);
  const values: Record<string, string> = Object.assign({}, ...features.map(({ amr }) => amr));
  const isStrong = features.some(({ strongFactor }) => names.includes(strongFactor?.name ?? ''));
  return [...names.map((name) => values[name] ?? name), ...(isStrong && names[1] ? ['mfa'] : [])];
}
