import { hasNode, installNode, nodeMajors } from './node-versions/install-node.js';

/** Gets the Node versions that the tests run on into `.cache/node/`; those which are there already are kept. */
const outcomes = await Promise.allSettled(
  nodeMajors.map(async (major) => {
    if (!hasNode(major)) await installNode(major);
    console.log(`Node ${major}: ready`);
  }),
);
for (const outcome of outcomes) {
  if (outcome.status === 'fulfilled') continue;
  console.error((outcome.reason as Error).message);
  process.exitCode = 1;
}
