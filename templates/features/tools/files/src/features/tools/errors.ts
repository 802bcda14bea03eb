export const toolsErrors = {
  WEBHOOK_NOT_FOUND: { status: 404, message: 'There is no such webhook.' },
  INVALID_SIGNATURE: { status: 401, message: 'The signature does not fit the body.' },
} as const;
