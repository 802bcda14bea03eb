import { pathPrefix } from '../../environment/address-parsers.js';

export const toolsVariables = {
  TOOLS_PREFIX: pathPrefix().prefault('/tools'),
};
