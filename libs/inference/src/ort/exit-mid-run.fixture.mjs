// Run as `node exit-mid-run.fixture.mjs <compiled ort folder> <graph>`: exits with code 3 while a run is on and nothing is closed.
// Node waits for its pool, so that the process is gone when the run is done.
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const [folder, graph] = process.argv.slice(2);
const { openOrtSession } = await import(`${pathToFileURL(folder)}/open-ort-session.js`);
const session = await openOrtSession(graph, { threads: 2, backend: 'ort-c' });
const [x, w, y] = [0, 1, 2].map(() => session.newTensor('float32', [256, 256]));
let done = false;
session.run({ x, w }, { y }).finally(() => (done = true));
await delay(20);
process.exit(done ? 0 : 3);
