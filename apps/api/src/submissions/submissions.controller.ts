import { Body, Controller, Param, Req } from '@nestjs/common';
import { CompareRequest, ReplayRequest, RerunRequest, RescoreRequest, ROUTES, RunRequest } from '@kiln/contracts';
import { type FastifyRequest } from 'fastify';
import { type Caller, FromCaller } from '../auth/caller.js';
import { HeaderFields } from '../http/header-fields.js';
import { type HeadersOf, Operation, type ParamsOf } from '../http/operation.js';
import { ReplayService } from '../replay/replay.service.js';
import { RerunService } from '../rerun/rerun.service.js';
import { RescoreService } from '../rescore/rescore.service.js';
import { SubmissionsService } from './submissions.service.js';

const { submitReplay, submitRerun, submitRescore } = ROUTES;

@Controller()
export class SubmissionsController {
  constructor(
    private readonly submissions: SubmissionsService,
    private readonly rescores: RescoreService,
    private readonly replays: ReplayService,
    private readonly reruns: RerunService,
  ) {}

  @Operation('submitRun')
  run(
    @FromCaller() caller: Caller,
    @HeaderFields('submitRun') headers: HeadersOf<'submitRun'>,
    @Body({ schema: RunRequest }) body: RunRequest,
    @Req() { body: sentBody }: FastifyRequest,
  ) {
    return this.submissions.run(body, { caller, route: 'submitRun', idempotencyKey: headers['idempotency-key'], sentBody });
  }

  @Operation('submitCompare')
  compare(
    @FromCaller() caller: Caller,
    @HeaderFields('submitCompare') headers: HeadersOf<'submitCompare'>,
    @Body({ schema: CompareRequest }) body: CompareRequest,
    @Req() { body: sentBody }: FastifyRequest,
  ) {
    return this.submissions.compare(body, { caller, route: 'submitCompare', idempotencyKey: headers['idempotency-key'], sentBody });
  }

  @Operation('submitRescore')
  rescore(
    @FromCaller() caller: Caller,
    @Param({ schema: submitRescore.params }) { id }: ParamsOf<'submitRescore'>,
    @HeaderFields('submitRescore') headers: HeadersOf<'submitRescore'>,
    @Body({ schema: RescoreRequest }) body: RescoreRequest,
    @Req() { body: sentBody }: FastifyRequest,
  ) {
    const idempotencyKey = headers['idempotency-key'];
    return this.rescores.submit(id, body, { caller, route: 'submitRescore', idempotencyKey, sentBody: { id, body: sentBody } });
  }

  @Operation('submitReplay')
  replay(
    @FromCaller() caller: Caller,
    @Param({ schema: submitReplay.params }) { id }: ParamsOf<'submitReplay'>,
    @HeaderFields('submitReplay') headers: HeadersOf<'submitReplay'>,
    @Body({ schema: ReplayRequest }) body: ReplayRequest,
    @Req() { body: sentBody }: FastifyRequest,
  ) {
    const idempotencyKey = headers['idempotency-key'];
    return this.replays.submit(id, body, { caller, route: 'submitReplay', idempotencyKey, sentBody: { id, body: sentBody } });
  }

  @Operation('submitRerun')
  rerun(
    @FromCaller() caller: Caller,
    @Param({ schema: submitRerun.params }) { id }: ParamsOf<'submitRerun'>,
    @HeaderFields('submitRerun') headers: HeadersOf<'submitRerun'>,
    @Body({ schema: RerunRequest }) body: RerunRequest,
    @Req() { body: sentBody }: FastifyRequest,
  ) {
    const idempotencyKey = headers['idempotency-key'];
    return this.reruns.submit(id, body, { caller, route: 'submitRerun', idempotencyKey, sentBody: { id, body: sentBody } });
  }
}
