/** Most samples that a model decodes together where nobody says another number. */
export const DEFAULT_MAX_BATCH = 32;
