import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { ApiDependencies } from './api-dependencies.js';
import { ApiKeyVerifier } from './auth/api-key-verifier.js';
import { HealthController } from './health/health.controller.js';
import { Readiness } from './health/readiness.js';
import { ContractPipe } from './http/contract.pipe.js';
import { Draining } from './http/draining.js';
import { ErrorFilter } from './http/error.filter.js';
import { JobStreams } from './jobs/job-streams.js';
import { JobWatch } from './jobs/job-watch.js';
import { JobsController } from './jobs/jobs.controller.js';
import { JobsService } from './jobs/jobs.service.js';
import { OutcomesController } from './jobs/outcomes.controller.js';
import { OutcomesService } from './jobs/outcomes.service.js';
import { KeysController } from './keys/keys.controller.js';
import { KeysService } from './keys/keys.service.js';
import { ModelsController } from './models/models.controller.js';
import { ModelsService } from './models/models.service.js';
import { OpenApiController } from './openapi/openapi.controller.js';
import { Admissions } from './submissions/admissions.js';
import { SubmissionsController } from './submissions/submissions.controller.js';
import { ReplayService } from './replay/replay.service.js';
import { RerunService } from './rerun/rerun.service.js';
import { RescoreService } from './rescore/rescore.service.js';
import { ScoringPlanner } from './submissions/scoring-planner.js';
import { SubmissionsService } from './submissions/submissions.service.js';
import { TargetResolver } from './submissions/target-resolver.js';
import { SuitesController } from './suites/suites.controller.js';
import { SuitesService } from './suites/suites.service.js';
import { VerdictsController } from './verdicts/verdicts.controller.js';
import { VerdictsService } from './verdicts/verdicts.service.js';

@Module({})
export class AppModule {
  static with(dependencies: ApiDependencies, verifier: ApiKeyVerifier): DynamicModule {
    return {
      module: AppModule,
      controllers: [
        SuitesController,
        SubmissionsController,
        JobsController,
        OutcomesController,
        VerdictsController,
        ModelsController,
        KeysController,
        HealthController,
        OpenApiController,
      ],
      providers: [
        { provide: ApiDependencies, useValue: dependencies },
        { provide: ApiKeyVerifier, useValue: verifier },
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_PIPE, useClass: ContractPipe },
        Admissions,
        Draining,
        JobStreams,
        JobWatch,
        JobsService,
        KeysService,
        ModelsService,
        OutcomesService,
        Readiness,
        ReplayService,
        RerunService,
        RescoreService,
        ScoringPlanner,
        SubmissionsService,
        SuitesService,
        TargetResolver,
        VerdictsService,
      ],
    };
  }
}
