import type { Services } from '../../services.js';
import { polling } from './polling.js';
import type { WakeUps } from './wake-ups.js';

/** Wake-ups of one instance by itself. */
export function openWakeUps(_services: Services): WakeUps {
  return polling();
}
