import { configRows, SETTING_NOTES } from './config.ts'
import type { Config, Environment } from './config.ts'

/** What `tern config` prints: a line each, with `*` where the operator has set it. */
export function configTable(config: Config, environment?: Environment): string {
  const rows = configRows(config, environment)
  const cells = rows.map((row) => [`${row.isSet ? '*' : ' '} ${row.name}`, row.value || '-', row.meaning])
  return aligned(cells)
    .map((line) => line.join('  ').trimEnd() + '\n')
    .join('')
}

/** The settings of the README, aligned as the formatter leaves it. */
export function settingsMarkdown(): string {
  const rows = SETTING_NOTES.map((note) => [
    `\`${note.name}\``,
    note.default ?? 'none',
    asSentence(note.allowed),
    note.meaning,
  ])
  const [heading, ...lines] = aligned([['Setting', 'Default', 'Value', 'Meaning'], ...rows])
  const rule = heading!.map((cell) => '-'.repeat(cell.length))
  return [heading!, rule, ...lines].map((line) => `| ${line.join(' | ')} |\n`).join('')
}

/** Every cell as wide as the widest of its column. */
function aligned(lines: string[][]): string[][] {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  return lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column]!)))
}

const asSentence = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)
