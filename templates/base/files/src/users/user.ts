import type { Selectable } from 'kysely';
import type { UsersTables } from './table.js';

/** A user as rules see it. Times in ms. */
export interface User {
  id: string;
  email: string;
  /** Null until the address is proven. */
  emailVerifiedAt: number | null;
  /** How the account was made: `local`, or the provider that vouched for it. */
  loginProvider: string;
  /** Free-form fields, the profile's names among them. */
  metadata: Record<string, unknown>;
  disabledAt: number | null;
  createdAt: number;
}

/** A user from its row. */
export function userOf(row: Omit<Selectable<UsersTables['users']>, 'updated_at'>): User {
  return {
    id: row.id,
    email: row.email,
    emailVerifiedAt: row.email_verified_at,
    loginProvider: row.login_provider,
    metadata: JSON.parse(row.metadata),
    disabledAt: row.disabled_at,
    createdAt: row.created_at,
  };
}
