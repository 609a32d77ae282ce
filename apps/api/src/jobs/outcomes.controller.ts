import { Controller, Param, Query } from '@nestjs/common';
import { ROUTES } from '@kiln/contracts';
import { type Caller, FromCaller } from '../auth/caller.js';
import { Operation, type ParamsOf, type QueryOf } from '../http/operation.js';
import { ReplayService } from '../replay/replay.service.js';
import { OutcomesService } from './outcomes.service.js';

const { listOutcomes, listAggregatedOutcomes, getComparison, exportOutcomes, getReplayRecord } = ROUTES;

@Controller()
export class OutcomesController {
  constructor(
    private readonly outcomes: OutcomesService,
    private readonly replays: ReplayService,
  ) {}

  @Operation('listOutcomes')
  list(
    @FromCaller() caller: Caller,
    @Param({ schema: listOutcomes.params }) { id }: ParamsOf<'listOutcomes'>,
    @Query({ schema: listOutcomes.query }) query: QueryOf<'listOutcomes'>,
  ) {
    return this.outcomes.list(caller, id, query);
  }

  @Operation('listAggregatedOutcomes')
  listAggregated(
    @FromCaller() caller: Caller,
    @Param({ schema: listAggregatedOutcomes.params }) { id }: ParamsOf<'listAggregatedOutcomes'>,
    @Query({ schema: listAggregatedOutcomes.query }) query: QueryOf<'listAggregatedOutcomes'>,
  ) {
    return this.outcomes.listAggregated(caller, id, query);
  }

  @Operation('getComparison')
  comparison(@FromCaller() caller: Caller, @Param({ schema: getComparison.params }) { id }: ParamsOf<'getComparison'>) {
    return this.outcomes.comparison(caller, id);
  }

  @Operation('exportOutcomes')
  export(
    @FromCaller() caller: Caller,
    @Param({ schema: exportOutcomes.params }) { id }: ParamsOf<'exportOutcomes'>,
    @Query({ schema: exportOutcomes.query }) { format }: QueryOf<'exportOutcomes'>,
  ) {
    return this.outcomes.export(caller, id, format);
  }

  @Operation('getReplayRecord')
  replayRecord(
    @FromCaller() caller: Caller,
    @Param({ schema: getReplayRecord.params }) { id }: ParamsOf<'getReplayRecord'>,
    @Query({ schema: getReplayRecord.query }) { run_index: runIndex }: QueryOf<'getReplayRecord'>,
  ) {
    return this.replays.record(caller, id, runIndex);
  }
}
