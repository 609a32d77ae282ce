import fastifyStatic from '@fastify/static';
import { type FastifyInstance } from 'fastify';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Ours; the same distance from src and from dist. */
const OWN_FOLDER = fileURLToPath(new URL('../../static/docs/', import.meta.url));
/** The package also holds source maps and a page that loads a foreign document. */
const SERVED = new Set(['/swagger-ui.css', '/swagger-ui-bundle.js', '/favicon-32x32.png', '/show-api.js']);

/** Serves what the page at /docs loads. */
export async function registerDocsAssets(instance: FastifyInstance): Promise<void> {
  const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  await instance.register(fastifyStatic, {
    root: [swaggerUi, OWN_FOLDER],
    prefix: '/docs/assets/',
    decorateReply: false,
    index: false,
    maxAge: '1h',
    allowedPath: (path) => SERVED.has(path),
  });
}
