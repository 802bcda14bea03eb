import { pathPrefix } from '../../environment/address-parsers.js';

export const adminVariables = {
  ADMIN_PREFIX: pathPrefix().prefault('/admin'),
};
