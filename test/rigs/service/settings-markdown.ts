import { SETTING_NOTES } from '../../../src/config/config.ts'

/** The table of settings in docs/operations.md, as the formatter leaves it. */
export function settingsMarkdown(): string {
  const heads = ['Setting', 'Default', 'Value', 'Meaning']
  const rows = SETTING_NOTES.map((note) => [
    `\`${note.name}\``,
    note.default ?? 'none',
    asSentence(note.allowed),
    note.meaning,
  ])
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]!.length)))
  const rule = widths.map((width) => '-'.repeat(width))
  return [heads, rule, ...rows]
    .map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |\n`)
    .join('')
}

const asSentence = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)
