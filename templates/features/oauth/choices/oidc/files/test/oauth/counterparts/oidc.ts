import { startIssuer } from '../issuer.js';

export const startOidc = () => startIssuer('oidc');
