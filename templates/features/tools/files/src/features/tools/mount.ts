import type { MountPoint } from '../../http/mount-point.js';
import { toolsRoutes } from './tools-routes.js';

export const toolsMount: MountPoint = {
  prefixOf: (config) => config.TOOLS_PREFIX,
  routes: toolsRoutes,
};
