import type { TestUser } from '../rigs/service/dashboard-rig.ts'

const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

const LABELED: { codes: string[]; tags: string[]; folder: string | null }[] = [
  { codes: ['winter'], tags: ['Winter 2026', 'Newsletter', 'Instagram'], folder: 'Campaigns' },
  { codes: ['advent'], tags: ['Winter 2026', 'Instagram'], folder: 'Campaigns' },
  { codes: ['repair-day', 'festival'], tags: ['Events'], folder: 'Retail' },
  { codes: ['flyer-a5', 'map'], tags: ['Print', 'Retail'], folder: 'Retail' },
  { codes: ['autumn-sale', 'newsletter'], tags: ['Newsletter'], folder: 'Campaigns' },
  { codes: ['insta', 'podcast'], tags: ['Instagram'], folder: null },
  { codes: ['returns', 'size-chart', 'care'], tags: ['Support'], folder: null },
  { codes: ['b2b', 'stockists'], tags: ['B2B'], folder: 'Retail' },
]
const STATES: Record<string, object> = {
  advent: {
    starts_at: inDays(7),
    rules: [{ when: { country: ['JP'] }, to: 'https://www.northlight-supply.jp/' }],
  },
  winter: { expires_at: inDays(9) },
  'repair-day': { max_clicks: 1 },
  'autumn-sale': { expires_at: inDays(-20) },
  b2b: { password: 'northlight' },
  survey: { archived: true },
}
const VIEWS = [
  { name: 'Winter campaign', query: 'tag=Winter+2026' },
  { name: 'Retail', query: 'folder=Retail' },
]

/** Gives the links of a history tags, folders and states, and their list views. */
export async function organizeLinks({ browser }: TestUser): Promise<void> {
  for (const { codes, tags, folder } of LABELED)
    await browser.succeed('POST', '/links/bulk-update', { short_codes: codes, set: { tags, folder } })
  for (const [code, state] of Object.entries(STATES)) await browser.succeed('PUT', `/links/${code}`, state)
  for (const view of VIEWS) await browser.succeed('POST', '/views', view)
}
