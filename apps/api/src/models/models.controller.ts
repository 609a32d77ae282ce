import { Controller, Query } from '@nestjs/common';
import { ROUTES } from '@kiln/contracts';
import { type Caller, FromCaller } from '../auth/caller.js';
import { Operation, type QueryOf } from '../http/operation.js';
import { ModelsService } from './models.service.js';

const { listModels, listAdapters } = ROUTES;

@Controller()
export class ModelsController {
  constructor(private readonly models: ModelsService) {}

  @Operation('listModels')
  list(@FromCaller() caller: Caller, @Query({ schema: listModels.query }) query: QueryOf<'listModels'>) {
    return this.models.list(caller, query);
  }

  @Operation('listAdapters')
  listAdapters(@FromCaller() caller: Caller, @Query({ schema: listAdapters.query }) query: QueryOf<'listAdapters'>) {
    return this.models.listAdapters(caller, query);
  }

  @Operation('scanModels')
  scan(@FromCaller() caller: Caller) {
    return this.models.scan(caller);
  }
}
