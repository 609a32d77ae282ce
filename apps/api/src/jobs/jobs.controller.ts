import { Controller, Header, Param, Query } from '@nestjs/common';
import { ROUTES } from '@kiln/contracts';
import { type Caller, FromCaller } from '../auth/caller.js';
import { HeaderFields } from '../http/header-fields.js';
import { type HeadersOf, Operation, type ParamsOf, type QueryOf } from '../http/operation.js';
import { RequestClosed } from '../http/request-closed.js';
import { JobStreams } from './job-streams.js';
import { JobsService } from './jobs.service.js';

const { listJobs, getJob, cancelJob, jobEvents } = ROUTES;

@Controller()
export class JobsController {
  constructor(
    private readonly jobs: JobsService,
    private readonly streams: JobStreams,
  ) {}

  @Operation('listJobs')
  list(@FromCaller() caller: Caller, @Query({ schema: listJobs.query }) query: QueryOf<'listJobs'>) {
    return this.jobs.list(caller, query);
  }

  @Operation('getJob')
  get(
    @FromCaller() caller: Caller,
    @Param({ schema: getJob.params }) { id }: ParamsOf<'getJob'>,
    @Query({ schema: getJob.query }) { wait }: QueryOf<'getJob'>,
    @RequestClosed() closed: AbortSignal,
  ) {
    return this.jobs.get(caller, id, wait, closed);
  }

  @Operation('cancelJob')
  cancel(
    @FromCaller() caller: Caller,
    @Param({ schema: cancelJob.params }) { id }: ParamsOf<'cancelJob'>,
    @Query({ schema: cancelJob.query }) { purge }: QueryOf<'cancelJob'>,
  ) {
    return this.jobs.cancel(caller, id, purge);
  }

  @Operation('jobEvents')
  @Header('cache-control', 'no-store')
  @Header('x-accel-buffering', 'no')
  events(
    @FromCaller() caller: Caller,
    @Param({ schema: jobEvents.params }) { id }: ParamsOf<'jobEvents'>,
    @HeaderFields('jobEvents') headers: HeadersOf<'jobEvents'>,
    @RequestClosed() closed: AbortSignal,
  ) {
    return this.streams.open(caller, id, headers['last-event-id'], closed);
  }
}
