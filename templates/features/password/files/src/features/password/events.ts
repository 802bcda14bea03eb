export interface PasswordEvents {
  'identity.user.password.changed': { method: 'change' | 'reset' };
}
