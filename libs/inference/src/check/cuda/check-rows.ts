import { type LoraSite } from '../../onnx/lora/lora-sites.js';
import { probeModel } from '../../onnx/probe/probe-model.js';
import { probeVerdict } from '../../onnx/probe/probe-verdict.js';
import { type ProbedModel } from '../../onnx/probe/probed-model.js';
import { type Finding } from './device-check.js';

/** That rows of a step are independent, in steps of as many rows as the verdict says. */
export async function checkRows(model: ProbedModel, sites: ReadonlyMap<string, LoraSite>): Promise<Finding[]> {
  const measured = await probeModel(model, sites);
  const { minRows, maxRows, adapterMinRows, exactPrefill, flaws } = probeVerdict(measured);
  const most = model.rules.maxRows;
  const rows = minRows === most ? `always ${most} rows` : `from ${minRows} rows on`;
  const adapter =
    adapterMinRows === null ? '' : `, with an adapter ${adapterMinRows === most ? `always ${most}` : `from ${adapterMinRows} on`}`;
  return [
    { what: 'a run gives the same bits twice, whatever is in the padding', holds: flaws.length === 0, seen: flaws.join('; ') || 'it does' },
    {
      what: 'rows do not depend on their neighbours',
      holds: maxRows === null && measured.neighbours === true,
      seen: maxRows === 1 ? 'only one by one' : `${rows}${adapter}; prompts ${exactPrefill ? 'always cut alike' : 'cut anywhere'}`,
    },
  ];
}
