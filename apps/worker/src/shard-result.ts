/** How an attempt went, for the log and the metrics. */
export type ShardResult = 'completed' | 'stopped' | 'released' | 'retry' | 'crashed' | 'deferred' | 'lost';
