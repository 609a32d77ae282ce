import { z } from 'zod';
import { ErrorCode } from './error-code.js';

/** The body of every answer that is not a success. */
export const ErrorBody = z
  .object({
    error: z.object({
      code: ErrorCode,
      message: z.string().meta({ description: 'What is wrong; names the path of a bad field.' }),
      hint: z.string().nullable().meta({ description: 'What to do about it.' }),
    }),
  })
  .meta({ id: 'ErrorBody' });
export type ErrorBody = z.infer<typeof ErrorBody>;
