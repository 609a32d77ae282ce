// Run as `node --expose-gc gc-stress.fixture.mjs <compiled ort folder> <graph>`: uses sessions while memory that only native code still
// refers to would be collected, and prints what it saw as JSON. A lifetime bug ends the process with a signal instead.
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

const [folder, graph] = process.argv.slice(2);
const { openOrtSession } = await import(`${pathToFileURL(folder)}/open-ort-session.js`);
const { loadOrtLibrary } = await import(`${pathToFileURL(folder)}/ort-library.js`);

/** Collects, and fills the freed memory with other bytes. */
function collect() {
  globalThis.gc();
  for (let index = 0; index < 200; index++) new Uint8Array(64 + index * 16).fill(0xee);
}

async function census() {
  return (await loadOrtLibrary()).library.census.counts();
}

/** koffi unloads a library whose handle is collected, unless something else in the process happens to hold it. */
const handle = new WeakRef((await loadOrtLibrary()).library.handle);

// Nothing here refers to the library's handle, nor to the arrays that tensors were made from.
const session = await openOrtSession(await readFile(graph), { threads: 1, backend: 'ort-c' });
collect();
const w = session.newTensor('float32', [2, 2], Float32Array.of(1, 2, 3, 4));
const results = new Set();
let collections = 0;
const timer = setInterval(() => (collect(), collections++), 10);

async function runOnce(index) {
  const x = session.newTensor('float32', [1, 2], Float32Array.of(index, 1));
  const y = session.newTensor('float32', [1, 2]);
  const view = session.viewOf(y, [1, 2]);
  const running = session.run({ x, w }, { y: view });
  if (index % 20 === 0) collect();
  await running;
  results.add(view.data[0] === index + 3 && view.data[1] === 2 * index + 4);
  x.release();
  if (index % 2 === 0) y.release();
  else for (const tensor of [view, y]) tensor.release();
}

for (let index = 0; index < 100; index++) await runOnce(index);
collect();
const before = { rss: process.memoryUsage().rss, census: await census() };
for (let index = 0; index < 1000; index++) await runOnce(index);
clearInterval(timer);
collect();
const after = { rss: process.memoryUsage().rss, census: await census() };

// Sessions come and go as well, and what is forgotten goes with its session.
for (let index = 0; index < 30; index++) {
  const other = await openOrtSession(await readFile(graph), { threads: 1, backend: 'ort-c' });
  other.newTensor('float32', [1000]);
  collect();
  await other.close();
}
const afterSessions = { rss: process.memoryUsage().rss, census: await census() };
await session.close();
const closed = { census: await census() };
const isHandleKept = handle.deref() !== undefined;
process.stdout.write(JSON.stringify({ allRight: [...results], isHandleKept, collections, before, after, afterSessions, closed }));
