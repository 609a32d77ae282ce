import { Controller, Header, Res } from '@nestjs/common';
import { type HealthView, type ReadinessView } from '@kiln/contracts';
import { type FastifyReply } from 'fastify';
import { ApiDependencies } from '../api-dependencies.js';
import { Operation } from '../http/operation.js';
import { Readiness } from './readiness.js';

/** What orchestrators and scrapers ask; no key is needed. */
@Controller()
export class HealthController {
  constructor(
    private readonly api: ApiDependencies,
    private readonly readiness: Readiness,
  ) {}

  @Operation('getHealth')
  health(): HealthView {
    return { status: 'ok', version: this.api.version };
  }

  @Operation('getReadiness')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadinessView> {
    const view = await this.readiness.check();
    if (view.status !== 'ready') void reply.status(503);
    return view;
  }

  @Operation('getMetrics')
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  metrics(): Promise<string> {
    return this.api.metrics.text();
  }
}
