/**
 * Loaded before a measured process (`node --import`): tells its parent what it has used so far, and
 * ends it should the parent go away. The measured code knows nothing of it.
 */
process.on('message', (message) => {
  if (message !== 'usage') return;
  const { user, system } = process.cpuUsage();
  process.send?.({ usage: { cpu: user + system, memory: process.memoryUsage.rss() } });
});
process.on('disconnect', () => process.exit());
process.channel?.unref();
