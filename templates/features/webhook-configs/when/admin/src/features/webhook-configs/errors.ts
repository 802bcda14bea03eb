export const webhookConfigsErrors = {
  WEBHOOK_NOT_FOUND: { status: 404, message: 'There is no such webhook.' },
  WEBHOOK_EXISTS: { status: 409, message: 'Another webhook answers for this provider.' },
} as const;
