import { z } from 'zod';

/** Every code that an error answer can carry. Codes are stable; messages are for people and may change. */
export const ErrorCode = z
  .enum([
    'eval_invalid_request',
    'invalid_suite_name',
    'eval_suite_not_found',
    'eval_suite_exists',
    'eval_job_not_found',
    'eval_job_in_use',
    'eval_queue_full',
    'eval_tracked_full',
    'eval_registry_unavailable',
    'eval_blinded',
    'dataset_not_found',
    'dataset_exists',
    'dataset_invalid',
    'dataset_registry_unavailable',
    'judgment_not_found',
    'judgment_invalid',
    'judgment_store_unavailable',
    'inference_disabled_by_profile',
    'model_not_found',
    'adapter_not_found',
    'target_not_served',
    'target_changed',
    'target_invalid',
    'key_not_found',
    'not_found',
    'method_not_allowed',
    'unsupported_media_type',
    'unauthorized',
    'forbidden',
    'idempotency_key_reused',
    'payload_too_large',
    'rate_limited',
    'halted',
    'database_unavailable',
    'internal_error',
  ])
  .meta({ id: 'ErrorCode' });
export type ErrorCode = z.infer<typeof ErrorCode>;
