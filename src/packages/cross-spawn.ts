/** Starts programs, including those that are scripts on Windows. */
export { default as spawn } from 'cross-spawn';
