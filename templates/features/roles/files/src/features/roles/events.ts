export interface RolesEvents {
  'identity.role.revoked': { role: string };
}
