import { beforeAll, expect, test } from 'bun:test'
import { type Browser, useDashboardRig } from '../rigs/service/dashboard-rig.ts'

const rig = useDashboardRig()
let browser: Browser

beforeAll(makeLinks)

test.each([
  ['', 2],
  ['archived=only', 1],
  ['archived=include&sort=title&per_page=1&page=2', 3],
  ['tag=RIVER', 2],
  ['tag=wood&archived=only', 1],
  ['tag=river&tag=wood', null],
  ['tag=river&tag=wood&tag_mode=all', null],
  ['status=disabled', null],
  ['search=otter', null],
])('links are listed as by the API, and the total is null unless it is kept: %s', async (query, total) => {
  const include = ALL_PARTS.map((part) => `include=${part}`).join('&')
  const { data, meta } = await list('/list-links', query)
  const { data: links, meta: known } = await list('/links', `${query}&${include}`)
  expect(links.length).toBeGreaterThan(0)
  const { last_page: _, ...others } = known
  expect({ data, meta }).toEqual({ data: links, meta: { ...others, total } })
})

async function makeLinks(): Promise<void> {
  browser = (await rig.user()).browser
  for (const link of [
    { title: 'Otter', tags: ['river'] },
    { title: 'Beaver', tags: ['river', 'wood'], is_active: false },
    { title: 'Marten', tags: ['wood'], archived: true },
  ])
    await browser.succeed('POST', '/links', { original_url: 'https://example.com/', ...link })
}

const ALL_PARTS = [
  'opened',
  'version',
  'last_clicked_at',
  'imported_click_count',
  'sparkline',
  'created_by',
  'archived',
  'totals',
]

const list = async (path: string, query: string) => (await browser.request('GET', `${path}?${query}`)).body
