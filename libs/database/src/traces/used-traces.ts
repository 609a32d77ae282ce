/** The traces that samples use, their own and those lent to them: a subquery with run_id, ordinal, completion_index, trace_id. */
export const USED_TRACES = `(SELECT run_id, ordinal, completion_index, id AS trace_id FROM traces
           UNION ALL SELECT run_id, ordinal, completion_index, trace_id FROM trace_loans)`;
