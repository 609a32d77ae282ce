export { createLogger, logFor, type LogContext, type Logger, type LoggerOptions, type LogLevel } from './logging/create-logger.js';
export { createMetrics, type BuildInfo, type Metrics } from './metrics/create-metrics.js';
export { serveMetrics, type Health, type MetricsServer } from './metrics/serve-metrics.js';
