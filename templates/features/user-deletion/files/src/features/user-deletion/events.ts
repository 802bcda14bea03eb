export interface UserDeletionEvents {
  'identity.user.deleted': { source: 'self' | 'admin' };
}
