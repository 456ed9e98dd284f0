// Preloaded into programs that do not watch their parent: ends this process when the parent is gone, however it ended.
// Processes that it forks inherit the preload, and end with it.
const end = () => process.kill(process.pid, 'SIGTERM');
process.once('disconnect', end);
if (process.connected === false) end(); // the parent was gone before the listener; without a channel, it is undefined
// The listener alone must not keep a program of ours running that is done. What that program forks may wait for messages.
if (process.env.STARTED_BY === String(process.ppid)) process.channel?.unref();
