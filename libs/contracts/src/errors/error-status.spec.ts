import { describe, expect, it } from 'vitest';
import { ErrorCode } from './error-code.js';
import { ERROR_STATUS, RETRY_AFTER_SECONDS } from './error-status.js';

describe('ERROR_STATUS', () => {
  it('has a status for every code and no other', () => {
    expect(Object.keys(ERROR_STATUS).toSorted()).toEqual([...ErrorCode.options].toSorted());
  });

  it.each([
    ['eval_invalid_request', 400],
    ['invalid_suite_name', 400],
    ['eval_suite_not_found', 404],
    ['eval_suite_exists', 409],
    ['eval_job_not_found', 404],
    ['eval_queue_full', 503],
    ['eval_tracked_full', 503],
    ['eval_registry_unavailable', 503],
    ['dataset_not_found', 404],
    ['dataset_exists', 409],
    ['dataset_invalid', 400],
    ['dataset_registry_unavailable', 503],
    ['judgment_not_found', 404],
    ['judgment_invalid', 400],
    ['judgment_store_unavailable', 503],
    ['inference_disabled_by_profile', 503],
    ['internal_error', 500],
    ['unauthorized', 401],
    ['forbidden', 403],
    ['eval_blinded', 403],
    ['idempotency_key_reused', 409],
    ['payload_too_large', 413],
    ['halted', 503],
    ['database_unavailable', 503],
    ['target_changed', 409],
  ] as const)('%s is %i', (code, status) => expect(ERROR_STATUS[code]).toBe(status));

  it('asks for 15 seconds when a queue is full', () => {
    expect(RETRY_AFTER_SECONDS).toMatchObject({ eval_queue_full: 15, eval_tracked_full: 15 });
  });
});
