import { pingRoutes } from './ping/admin-routes.js';
import { sessionRoutes } from './sessions/admin-routes.js';
import { settingRoutes } from './settings/admin-routes.js';
import { userRoutes } from './users/admin-routes.js';

/** What every service can administer. */
export const adminRoutes = [...pingRoutes, ...userRoutes, ...sessionRoutes, ...settingRoutes];
