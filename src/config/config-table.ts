import { configRows } from './config.ts'
import type { Config, Environment } from './config.ts'

/** The output of `tern config`. `*` marks the settings that the operator has set. */
export function configTable(config: Config, environment?: Environment): string {
  const rows = configRows(config, environment)
  const cells = rows.map((row) => [`${row.isSet ? '*' : ' '} ${row.name}`, row.value || '-', row.meaning])
  return aligned(cells)
    .map((line) => line.join('  ').trimEnd() + '\n')
    .join('')
}

/** Pads every cell to the width of its column. */
function aligned(lines: string[][]): string[][] {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  return lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column]!)))
}
