import { requireCsrfToken } from '../http/csrf.js';
import { requireAllowedOrigin } from '../http/origin.js';
import { type RawRequest, requestFacts } from '../http/request.js';
import type { Services } from '../services.js';
import { requirePermission } from '../users/permissions.js';
import { authenticate } from './authenticate.js';
import type { Caller } from './caller.js';

/**
 * The caller of a request to one of the team's own routes, after the same checks as the service's.
 * Throws INVALID_TOKEN, SESSION_REVOKED, ORIGIN_NOT_ALLOWED, CSRF_INVALID, FORBIDDEN.
 */
export async function admitCaller(
  services: Services,
  raw: RawRequest,
  permission?: string,
): Promise<Caller> {
  const request = requestFacts(raw);
  requireAllowedOrigin(services.config, request);
  const caller = await authenticate(services, request, services.config.SESSION_CHECK === 'all');
  requireCsrfToken(services, request, caller);
  if (permission) requirePermission(caller, permission);
  return caller;
}
