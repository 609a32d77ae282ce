import { Body, Controller, Param, Query } from '@nestjs/common';
import { ROUTES } from '@kiln/contracts';
import { type Caller, FromCaller } from '../auth/caller.js';
import { type SuiteUpload } from '../http/body-parsers.js';
import { Operation, type ParamsOf, type QueryOf } from '../http/operation.js';
import { SuitesService } from './suites.service.js';

const { listSuites, registerSuite, getSuite, proveSuite, deleteSuite } = ROUTES;

@Controller()
export class SuitesController {
  constructor(private readonly suites: SuitesService) {}

  @Operation('listSuites')
  list(@FromCaller() caller: Caller, @Query({ schema: listSuites.query }) query: QueryOf<'listSuites'>) {
    return this.suites.list(caller, query);
  }

  @Operation('registerSuite')
  register(
    @FromCaller() caller: Caller,
    @Query({ schema: registerSuite.query }) { force }: QueryOf<'registerSuite'>,
    @Body() upload: SuiteUpload | undefined,
  ) {
    return this.suites.register(caller, upload, force);
  }

  @Operation('getSuite')
  get(
    @FromCaller() caller: Caller,
    @Param({ schema: getSuite.params }) { name }: ParamsOf<'getSuite'>,
    @Query({ schema: getSuite.query }) query: QueryOf<'getSuite'>,
  ) {
    return this.suites.get(caller, name, query);
  }

  @Operation('proveSuite')
  prove(
    @FromCaller() caller: Caller,
    @Param({ schema: proveSuite.params }) { name }: ParamsOf<'proveSuite'>,
    @Query({ schema: proveSuite.query }) { hash }: QueryOf<'proveSuite'>,
  ) {
    return this.suites.prove(caller, name, hash);
  }

  @Operation('deleteSuite')
  delete(@FromCaller() caller: Caller, @Param({ schema: deleteSuite.params }) { name }: ParamsOf<'deleteSuite'>) {
    return this.suites.delete(caller, name);
  }
}
