import { Body, Controller, Param } from '@nestjs/common';
import { GateRequest, ROUTES } from '@kiln/contracts';
import { type Caller, FromCaller } from '../auth/caller.js';
import { Operation, type ParamsOf } from '../http/operation.js';
import { VerdictsService } from './verdicts.service.js';

const { decideVerdicts } = ROUTES;

@Controller()
export class VerdictsController {
  constructor(private readonly verdicts: VerdictsService) {}

  @Operation('decideVerdicts')
  decide(
    @FromCaller() caller: Caller,
    @Param({ schema: decideVerdicts.params }) { id }: ParamsOf<'decideVerdicts'>,
    @Body({ schema: GateRequest }) gate: GateRequest,
  ) {
    return this.verdicts.decide(caller, id, gate);
  }
}
