import { Body, Controller, Param, Query } from '@nestjs/common';
import { CreateKeyRequest, ROUTES } from '@kiln/contracts';
import { type Caller, FromCaller } from '../auth/caller.js';
import { Operation, type ParamsOf, type QueryOf } from '../http/operation.js';
import { KeysService } from './keys.service.js';

const { listKeys, revokeKey } = ROUTES;

@Controller()
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  @Operation('createKey')
  create(@FromCaller() caller: Caller, @Body({ schema: CreateKeyRequest }) request: CreateKeyRequest) {
    return this.keys.create(caller, request);
  }

  @Operation('listKeys')
  list(@FromCaller() caller: Caller, @Query({ schema: listKeys.query }) query: QueryOf<'listKeys'>) {
    return this.keys.list(caller, query);
  }

  @Operation('revokeKey')
  revoke(@FromCaller() caller: Caller, @Param({ schema: revokeKey.params }) { id }: ParamsOf<'revokeKey'>) {
    return this.keys.revoke(caller, id);
  }
}
