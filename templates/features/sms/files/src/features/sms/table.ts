/** Times are ms since the epoch. */
export interface SmsTables {
  phone_numbers: {
    user_id: string;
    /** E.164, verified; null until a first number is. Not unique: see `docs/features/sms.md`. */
    phone_number: string | null;
    /** E.164, not verified yet. */
    pending_number: string | null;
    verified_at: number | null;
  };
  sms_codes: {
    user_id: string;
    /** What the code is good for, such as `login`; there is one code of each. */
    purpose: string;
    /** Keyed: six digits could be guessed from a plain hash. */
    code_hash: string;
    attempts: number;
    expires_at: number;
  };
}
