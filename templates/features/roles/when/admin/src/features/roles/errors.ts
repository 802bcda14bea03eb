export const rolesErrors = {
  ROLE_NOT_FOUND: { status: 404, message: 'There is no such role.' },
  ROLE_EXISTS: { status: 409, message: 'There is a role of this name.' },
  ROLE_PROTECTED: { status: 409, message: 'The service relies on this role.' },
  LAST_ADMINISTRATOR: { status: 409, message: 'Somebody has to be able to administer.' },
} as const;
