import { runService } from './run-service.js';

/** A service that tells its parent every 20 ms which settings are in force. */
await runService('reporter', async ({ settings, log }) => {
  const timer = setInterval(() => process.send?.({ level: log.level, limit: settings().eval.max_queued_jobs }), 20);
  return { stop: async () => clearInterval(timer) };
});
