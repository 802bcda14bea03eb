export interface TotpTables {
  totp_secrets: {
    user_id: string;
    /** Sealed; null until the first set-up is confirmed. */
    secret: string | null;
    /** Sealed; the secret of a set-up that is not confirmed yet. */
    pending_secret: string | null;
    /** The latest time step whose code was used (RFC 6238 §5.2). */
    last_step: number;
  };
  recovery_codes: {
    user_id: string;
    code_hash: string;
  };
}
