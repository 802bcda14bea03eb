import type { MountPoint } from '../../http/mount-point.js';
import { routes } from './routes.js';

export const adminMount: MountPoint = {
  prefixOf: (config) => `${config.ADMIN_PREFIX}/api`,
  routes,
};
