export interface EmailChangeEvents {
  'identity.user.email.changed': { oldEmail: string; newEmail: string };
}
