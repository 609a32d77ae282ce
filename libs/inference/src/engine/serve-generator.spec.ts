import { KilnError } from '@kiln/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import { EchoGenerator } from '../echo/echo-generator.js';
import { type SampleRequest, type SampleResult } from '../generator.js';
import { ECHO_TARGET, sampleRequest } from '../testing/onnx-target.fixture.js';
import { type EngineReply } from './protocol.js';
import { GeneratorServer } from './serve-generator.js';

/** Breaks the promises of the port in ways that real engines have. */
class CarelessEngine extends EchoGenerator {
  override async *generate(samples: readonly SampleRequest[], signal: AbortSignal): AsyncGenerator<SampleResult> {
    for await (const result of super.generate(samples, signal)) {
      if (result.id === 'lost') continue;
      if (result.id === 'throws') throw new Error('boom');
      if (result.id === 'waits') await new Promise((resolve) => signal.addEventListener('abort', resolve));
      if (signal.aborted) return;
      yield result;
      if (result.id === 'twice') yield result;
    }
  }

  override async load(): Promise<never> {
    throw new KilnError('target_changed', 'other weights', { hint: 'scan again' });
  }
}

let server: GeneratorServer;
afterEach(() => server.close());

function serve(generator: EchoGenerator) {
  const replies: EngineReply[] = [];
  server = new GeneratorServer(generator, { credits: 8, send: (reply) => void replies.push(reply), onClosed: () => {} });
  return replies;
}

const samples = (...ids: string[]) => ids.map((id) => sampleRequest(ECHO_TARGET, id, { id }));
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
const resultsOf = (replies: EngineReply[]) =>
  replies
    .flatMap((reply) => (reply.type === 'results' ? reply.parts : []))
    .flatMap(({ call, results }) => results.map(({ id, ok }) => `${call}:${id}:${ok}`));

describe('GeneratorServer', () => {
  it('grants credits first, and sends the results of one turn in one message', async () => {
    const replies = serve(new EchoGenerator());
    server.receive({
      type: 'batch',
      parts: [
        { call: 1, samples: samples('a', 'b') },
        { call: 2, samples: samples('a') },
      ],
    });
    await settled();
    expect(replies.map(({ type }) => type)).toEqual(['ready', 'results']);
    expect(resultsOf(replies).toSorted()).toEqual(['1:a:true', '1:b:true', '2:a:true']);
  });

  it('gives every sample exactly one result, whatever the engine does', async () => {
    const replies = serve(new CarelessEngine());
    server.receive({ type: 'batch', parts: [{ call: 1, samples: samples('lost', 'twice', 'throws', 'after') }] });
    await settled();
    expect(resultsOf(replies)).toEqual(['1:twice:true', '1:lost:false', '1:throws:false', '1:after:false']);
  });

  it('releases the credits of a cancelled call, and lets others go on', async () => {
    const replies = serve(new CarelessEngine());
    server.receive({ type: 'batch', parts: [{ call: 1, samples: samples('a', 'waits', 'b') }] });
    await settled();
    server.receive({ type: 'cancel', call: 1 });
    server.receive({ type: 'cancel', call: 99 });
    server.receive({ type: 'batch', parts: [{ call: 2, samples: samples('c') }] });
    await settled();
    expect(resultsOf(replies)).toEqual(['1:a:true', '2:c:true']);
    expect(replies).toContainEqual({ type: 'released', call: 1, samples: 2 });
  });

  it('acknowledges loads and refuses with the code', async () => {
    const replies = serve(new EchoGenerator());
    server.receive({ type: 'load', request: 7, target: ECHO_TARGET });
    server.receive({ type: 'unload', request: 8, target: ECHO_TARGET });
    await settled();
    expect(replies.slice(1)).toMatchObject([
      { type: 'loaded', request: 7 },
      { type: 'unloaded', request: 8 },
    ]);

    const refusals = serve(new CarelessEngine());
    server.receive({ type: 'load', request: 9, target: ECHO_TARGET });
    await settled();
    expect(refusals[1]).toEqual({
      type: 'refused',
      request: 9,
      error: { code: 'target_changed', message: 'other weights', hint: 'scan again' },
    });
  });

  it('reports progress only when there was some', async () => {
    const replies = serve(new EchoGenerator());
    await new Promise((resolve) => setTimeout(resolve, 350));
    expect(replies).toHaveLength(1);
    server.noteProgress();
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(replies.slice(1)).toEqual([{ type: 'progress' }]);
  });
});
