import { checkModels, type CheckOptions } from './check-models.js';
import { type CheckMessage } from './check-models-in-child.js';

/*
 * The program behind `kiln models check`: one check, in a process with the allocator of an engine child, so that what it measures is what
 * jobs get, and so that a runtime that aborts ends this process only. Directory and options are its arguments.
 */

const [, , directory, options] = process.argv;
if (!process.connected || directory === undefined) throw new TypeError('this program is forked; run `kiln models check`');
const send = (message: CheckMessage) => new Promise<void>((resolve) => process.send!(message, () => resolve()));
process.on('disconnect', () => process.exit(1));

const result = await checkModels(directory, {
  ...(JSON.parse(options!) as Omit<CheckOptions, 'onProgress'>),
  onProgress: (line) => void send({ type: 'progress', line }),
});
await send({ type: 'result', result });
process.exit(0);
