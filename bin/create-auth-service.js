#!/usr/bin/env node

// Written so that every Node since 12 can read it and say what is wrong.
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`create-auth-service needs Node 20.19 or newer, this is ${process.versions.node}.`);
  process.exitCode = 1;
} else {
  start();
}

function start() {
  // Hides the warnings of Node itself, such as deprecations: nobody who runs this can act on them.
  process.removeAllListeners('warning');
  // Node 20 has none, and to look for it takes a millisecond.
  const { enableCompileCache } = major > 20 ? process.getBuiltinModule('node:module') : {};
  if (enableCompileCache) enableCompileCache();
  const { main } = require('../dist/cli.cjs');
  main(process.argv.slice(2));
}
