/**
 * Draws the table under "## As an account grows" in docs/performance.md: a small panel for each row, a bar for each
 * size, each panel to its own scale, which begins at zero.
 *
 *   npm run bench:growth-chart
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const DOCS = join(import.meta.dir, '../docs')
const HEADING = '## As an account grows'
const [COLUMNS, PANEL_WIDTH, PANEL_HEIGHT, GAP] = [3, 250, 96, 16]
const [BAR_HEIGHT, BAR_LEFT, BAR_WIDTH_MAX] = [14, 34, 150]

type Panel = { title: string; bars: { label: string; value: number; text: string }[] }

if (import.meta.main) {
  writeFileSync(join(DOCS, 'growth.svg'), growthChart(readFileSync(join(DOCS, 'performance.md'), 'utf8')))
}

/** The chart for the table of that document. */
export function growthChart(document: string): string {
  return draw(readPanels(document))
}

/** The first table behind the heading: what was measured, then a column for each size. */
function readPanels(document: string): Panel[] {
  const [table = ''] = /(?:^\|.*\n)+/m.exec(document.slice(document.indexOf(HEADING))) ?? []
  const [head = [], , ...rows] = table.trim().split('\n').map(cellsOf)
  const sizes = head.flatMap((text, column) =>
    text.startsWith('10') ? [{ column, label: text.split(' ')[0]! }] : [],
  )
  return rows.map((cells) => ({
    title: cells[0]!,
    bars: sizes
      .map(({ column, label }) => ({
        label,
        text: cells[column]!,
        value: Number(cells[column]!.replaceAll(',', '')),
      }))
      .filter(({ value }) => !Number.isNaN(value)),
  }))
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}

function draw(panels: readonly Panel[]): string {
  const width = COLUMNS * (PANEL_WIDTH + GAP) - GAP
  const height = Math.ceil(panels.length / COLUMNS) * (PANEL_HEIGHT + GAP) - GAP
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" font-family="system-ui, sans-serif" font-size="11">
<title>Each figure at three sizes; the table has the same numbers</title>
<rect width="${width}" height="${height}" fill="#fff"/>
${panels.map(drawPanel).join('\n')}
</svg>
`
}

function drawPanel({ title, bars }: Panel, i: number): string {
  const [x, y] = [(i % COLUMNS) * (PANEL_WIDTH + GAP), Math.floor(i / COLUMNS) * (PANEL_HEIGHT + GAP)]
  const most = Math.max(...bars.map(({ value }) => value))
  const rows = bars.map(({ label, value, text }, row) => {
    const top = 26 + row * (BAR_HEIGHT + 6)
    const length = Math.max(1, (value / most) * BAR_WIDTH_MAX)
    return `<text x="0" y="${top + 11}" fill="#5b6470">${label}</text><rect x="${BAR_LEFT}" y="${top}" width="${length.toFixed(1)}" height="${BAR_HEIGHT}" rx="2" fill="#2f7fb5"/><text x="${(BAR_LEFT + length + 6).toFixed(1)}" y="${top + 11}" fill="#1d2530">${text}</text>`
  })
  return `<g transform="translate(${x} ${y})"><text x="0" y="14" font-weight="600" fill="#1d2530">${escape(title)}</text>${rows.join('')}</g>`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
