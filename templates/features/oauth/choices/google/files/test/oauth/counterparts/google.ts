import { startIssuer } from '../issuer.js';

export const startGoogle = () => startIssuer('google');
