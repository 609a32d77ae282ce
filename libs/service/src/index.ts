export { queueBackend, type QueueBackendConfig } from './queue-backend.js';
export { requireDatabaseUrl } from './require-database-url.js';
export { runService, type RunningService, type ServiceContext } from './run-service.js';
