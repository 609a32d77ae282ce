import { RELOADABLE } from '../config/config.js';
import { configSettings } from '../config/config-settings.js';
import { table } from './table.js';

const INTRODUCTION = `Settings come from a file (\`kiln.yaml\`, \`kiln.yml\` or \`kiln.json\` in the working directory, or the file that \`KILN_CONFIG\` names) and from the environment, which wins. Unknown fields of the file are refused. Settings marked *live* are taken over from a changed file while a process runs; the others need a restart.`;

/** The configuration guide (`docs/configuration.md`), made from the schema that reads the configuration. */
export function configurationMarkdown(): string {
  const live = new Set<string>(RELOADABLE);
  const rows = configSettings().map(({ path, variable, type, values, default: value, description }) => [
    `\`${path}\``,
    `\`${variable}\``,
    values === null ? type : values.map((each) => `\`${each}\``).join(', '),
    value === null ? '' : `\`${JSON.stringify(value)}\``,
    live.has(path) ? 'live' : '',
    description,
  ]);
  return (
    [
      '# Configuration',
      'Generated from the configuration schema; do not edit.',
      INTRODUCTION,
      table(['Setting', 'Variable', 'Type', 'Default', '', ''], rows),
    ].join('\n\n') + '\n'
  );
}
