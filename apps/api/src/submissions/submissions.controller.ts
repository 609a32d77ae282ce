import { Body, Controller, Req } from '@nestjs/common';
import { CompareRequest, RunRequest } from '@kiln/contracts';
import { type FastifyRequest } from 'fastify';
import { type Caller, FromCaller } from '../auth/caller.js';
import { HeaderFields } from '../http/header-fields.js';
import { type HeadersOf, Operation } from '../http/operation.js';
import { SubmissionsService } from './submissions.service.js';

@Controller()
export class SubmissionsController {
  constructor(private readonly submissions: SubmissionsService) {}

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
}
