#!/usr/bin/env node
import module from 'node:module';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`create-auth-service needs Node 20.19 or newer, this is ${process.versions.node}.`);
  process.exitCode = 1;
} else {
  module.enableCompileCache?.();
  const { main } = await import('../dist/cli.js');
  await main(process.argv.slice(2));
}
