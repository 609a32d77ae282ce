import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { parseWith } from '@kiln/contracts';

type ContractSchema = Parameters<typeof parseWith>[0];

const WHAT: Record<string, string> = { body: 'request body', query: 'query', param: 'path' };

/**
 * Reads every handler argument that names a schema of the contracts (`@Body({ schema })`). Nest's own pipe goes through
 * the Standard Schema interface, which loses the codes and limits that our messages are made of, and deletes keys such
 * as `constructor`, which stored metadata may have.
 */
@Injectable()
export class ContractPipe implements PipeTransform {
  transform(value: unknown, { schema, type }: ArgumentMetadata): unknown {
    if (schema === undefined || schema === null) return value;
    return parseWith(schema as unknown as ContractSchema, value, WHAT[type] ?? 'request');
  }
}
