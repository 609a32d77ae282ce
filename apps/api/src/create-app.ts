import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type ApiDependencies } from './api-dependencies.js';
import { AppModule } from './app.module.js';
import { ApiKeyVerifier } from './auth/api-key-verifier.js';
import { createAdapter } from './create-adapter.js';
import { closeWhenDrained } from './http/close-when-drained.js';
import { Draining } from './http/draining.js';
import { nestLogger } from './http/nest-logger.js';
import { registerDocsAssets } from './openapi/docs-assets.js';

/** The application, initialised and not listening: tests inject requests, `main.ts` listens. Closing it does not close the database. */
export async function createApp(
  dependencies: ApiDependencies,
  verifier = new ApiKeyVerifier(dependencies.database),
  adapter = createAdapter(dependencies, verifier),
): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.with(dependencies, verifier), adapter, {
    bodyParser: false,
    logger: nestLogger(dependencies.logger),
    // Errors while starting are thrown to the caller instead of ending the process.
    abortOnError: false,
  });
  closeWhenDrained(adapter.getInstance(), app.get(Draining));
  await registerDocsAssets(adapter.getInstance());
  await app.init();
  await adapter.getInstance().ready();
  return app;
}
