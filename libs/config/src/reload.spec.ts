import { Config, RELOADABLE, configSettings } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { reload } from './reload.js';

const before = Config.parse({});

describe('reload', () => {
  it('is null when nothing differs', () => {
    expect(reload(before, Config.parse({}))).toBeNull();
  });

  it('takes over limits and the log level, and reports the rest', () => {
    const after = Config.parse({ port: 1, log: { level: 'debug' }, eval: { max_queued_jobs: 5 }, worker: { slots: 9 } });
    const change = reload(before, after);
    expect(change?.applied).toEqual(['log.level', 'eval.max_queued_jobs']);
    expect(change?.needRestart).toEqual(['port', 'worker.slots']);
    expect(change?.config).toEqual(Config.parse({ log: { level: 'debug' }, eval: { max_queued_jobs: 5 } }));
  });

  it('leaves the settings in force untouched', () => {
    const frozen = Object.freeze(Config.parse({}));
    reload(frozen, Config.parse({ eval: { max_queued_jobs: 1 } }));
    expect(frozen).toEqual(before);
  });

  it('knows only settings that exist', () => {
    const paths = configSettings().map((setting) => setting.path);
    expect(RELOADABLE.filter((path) => !paths.includes(path))).toEqual([]);
  });
});
