import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ServiceSpec } from './service-process.js';
import type { ServiceSettings } from './service-specs.js';

/**
 * Small real programs in the place of api, scheduler and worker: they listen, report ready, write what happens to them to
 * `$EVENTS`, and end as the real ones do. `MODE` of a service makes it fail.
 */
const PROGRAM = `
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
const name = process.env.NAME;
const note = (what) => appendFileSync(process.env.EVENTS, name + ' ' + what + '\\n');
const end = (what) => { note(what); process.exit(0); };
process.on('SIGTERM', () => { if (process.env.MODE !== 'stubborn') end('SIGTERM'); });
process.on('disconnect', () => end('orphaned'));
console.log(name + ' says hello');
if (process.env.MODE === 'broken') { console.error('no such model'); process.exit(1); }
if (name === 'api') {
  const server = createServer((request, response) => {
    if (request.url === '/crash') process.exit(7);
    response.writeHead(200).end('{}');
  });
  await new Promise((resolve) => server.listen(Number(process.env.KILN_PORT), '127.0.0.1', resolve));
}
note('ready');
process.send({ ready: name });
setInterval(() => undefined, 1000);
`;

/** Writes the program to `folder` and answers the services of a stack that run it. */
export function sampleServices(folder: string, modes: Readonly<Record<string, string>> = {}): (settings: ServiceSettings) => ServiceSpec[] {
  const entry = path.join(folder, 'sample-service.mjs');
  writeFileSync(entry, PROGRAM);
  return ({ env, port }) =>
    ['api', 'scheduler', 'worker'].map((name) => ({
      name,
      entry,
      cwd: folder,
      stopMs: 300,
      env: { ...env, NAME: name, MODE: modes[name] ?? '', EVENTS: eventsFile(folder), KILN_PORT: String(port) },
    }));
}

export function eventsFile(folder: string): string {
  return path.join(folder, 'events.log');
}
