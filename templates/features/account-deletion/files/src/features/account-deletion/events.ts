export interface AccountDeletionEvents {
  'identity.user.deleted': { source: 'self' | 'admin' };
}
