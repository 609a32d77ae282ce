import { type MachineLimits } from '../machine-limits.js';
import { type SpeedCheck } from '../model-check.js';

/** One thing that must hold on a device. */
export interface Finding {
  readonly what: string;
  readonly holds: boolean;
  /** What was seen. */
  readonly seen: string;
}

/** What a device was found to do. */
export interface DeviceCheck {
  readonly findings: readonly Finding[];
  readonly limits: MachineLimits;
  /** Of the matrices that were multiplied for the limits. */
  readonly type: 'float32' | 'float16';
  readonly speed: readonly SpeedCheck[];
}
