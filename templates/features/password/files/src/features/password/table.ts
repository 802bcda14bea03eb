export interface PasswordTables {
  passwords: {
    user_id: string;
    hash: string;
    changed_at: number;
  };
}
