/** The project that the first migration makes; the only one until projects can be made. */
export const DEFAULT_PROJECT_ID = '00000000-0000-7000-8000-000000000001';
