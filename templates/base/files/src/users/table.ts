import type { Generated } from 'kysely';

/** Times are ms since the epoch, ids are UUIDs. */
export interface UsersTables {
  users: {
    id: string;
    /** In normal form (trimmed, NFKC, lower case); unique. */
    email: string;
    email_verified_at: number | null;
    /** How the account came to be: `local`, or the name of a provider. */
    login_provider: string;
    /** A JSON object of the team's own fields. */
    metadata: Generated<string>;
    disabled_at: number | null;
    created_at: number;
    updated_at: number;
  };
  roles: {
    name: string;
    /** A JSON list of `<resource>:<action>`; `*:*` is every permission. */
    permissions: string;
  };
  user_roles: {
    user_id: string;
    role_name: string;
    assigned_at: number;
  };
}
