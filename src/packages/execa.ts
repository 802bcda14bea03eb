/** Starts programs, including those that are scripts on Windows. */
export { execa } from 'execa';
