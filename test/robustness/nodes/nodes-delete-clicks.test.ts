import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { lacks } from '../driver/lacks.ts'
import { type Load, startVisits } from '../driver/load.ts'
import { useTern } from '../driver/tern.ts'

const CODES = ['deleted', 'kept', 'kept-too'] as const
const NODES = [0, 1]
/** Of some clicks each, while visitors come. */
const DELETIONS = 6
setDefaultTimeout(180_000)

describe.skipIf(lacks('nodes that delete and count clicks', 'postgresql'))('of two nodes', () => {
  const tern = useTern({ nodes: 2, postgres: {} })

  test('one deletes clicks of a link while the other counts them, and both report the same', async () => {
    await tern.makeLinks(...CODES)
    const loads = await Promise.all(NODES.map((node) => startVisits(tern, { node, codes: CODES })))
    let deleted = 0
    for (let left = DELETIONS; left > 0;) {
      const clicks = await deleteClicks(left % 2)
      deleted += clicks
      if (clicks > 0) left--
    }
    for (const load of loads) await load.continues()
    for (const load of loads) await load.stop()
    const redirects = new Map(CODES.map((code) => [code, redirectsOf(loads, code)]))
    const counts = { ...Object.fromEntries(redirects), deleted: redirects.get('deleted')! - deleted }
    await tern.counted(counts)
    const total = Object.values(counts).reduce((sum, clicks) => sum + clicks)
    for (const node of NODES) {
      expect(await report(node, 'links/deleted')).toMatchObject({ total_clicks: counts.deleted })
      expect(sumOf(await report(node, 'clicks'))).toBe(total)
      expect(sumOf(await report(node, 'links'))).toBe(total)
      expect(sumOf(await report(node, 'countries'))).toBe(total)
      expect((await report(node, 'overview')).overview).toMatchObject({ total_clicks: total })
    }
    expect(counts.deleted).toBeGreaterThan(0)
    await tern.stopAll()
    expect(await tern.run(['recount', '--check'])).toMatchObject({ exitCode: 0 })
  })

  async function deleteClicks(node: number): Promise<number> {
    const answer = await tern.ask(node, 'DELETE', '/api/links/deleted/clicks')
    // A busy node puts it off, with nothing deleted.
    if (answer.status === 503) return 0
    expect(answer.status).toBe(200)
    return ((await answer.json()) as { data: { clicks: number } }).data.clicks
  }

  async function report(node: number, name: string): Promise<any> {
    const query = name === 'overview' ? '' : '?period=24h'
    return ((await (await tern.ask(node, 'GET', `/api/analytics/${name}${query}`)).json()) as any).data
  }
})

const redirectsOf = (loads: readonly Load[], code: string) =>
  loads.reduce((sum, { tally }) => sum + (tally.acknowledged.get(code) ?? 0), 0)

const sumOf = (rows: readonly { clicks: number }[]) => rows.reduce((sum, { clicks }) => sum + clicks, 0)
