/**
 * Loaded before a measured process (`node --import`): reports its usage to the parent, and
 * ends the process if the parent disappears. The measured code knows nothing of it.
 */
process.on('message', (message) => {
  if (message !== 'usage') return;
  const { user, system } = process.cpuUsage();
  process.send?.({ usage: { cpu: user + system, memory: process.memoryUsage.rss() } });
});
process.on('disconnect', () => process.exit());
process.channel?.unref();
