export interface SecondFactorTables {
  /** Sign-ins that wait for their second factor. */
  login_challenges: {
    /** The `jti` of the temp token. */
    id: string;
    user_id: string;
    /** The first factor. */
    method: string;
    /** Who vouched for the first factor, if not this service. */
    provider: string | null;
    attempts: number;
    expires_at: number;
  };
}
