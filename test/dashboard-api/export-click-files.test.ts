import { expect } from 'bun:test'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { useDashboardRig } from '../rigs/service/dashboard-rig.ts'
import { ClickStoreRig } from '../rigs/clicks/click-store-rig.ts'
import { aFact, insertFacts } from '../rigs/clicks/fact-rows.ts'
import { eventually } from '../rigs/eventually.ts'
import { testOnSqlite } from '../rigs/store/test-store.ts'

const rig = useDashboardRig()

testOnSqlite('the export has clicks in files, and is refused as long as these cannot be read', async () => {
  await rig.user() // the operator
  const { browser, workspaceId } = await rig.user()
  const named = (referrer: string) => aFact({ workspace_id: workspaceId, referrer })
  await insertFacts(rig.store.relaxedDb, ['closed', 'closed, too', 'open'].map(named))
  const clicks = await ClickStoreRig.open(rig.config.dataDir)
  await clicks.closeUpTo(2)
  await clicks.close()
  const aside = `${clicks.folder}.aside`
  renameSync(clicks.folder, aside)
  // No engine starts on it.
  writeFileSync(clicks.folder, '')
  for (let attempt = 1; attempt <= 3; attempt++) {
    const { status, body, headers } = await browser.request('GET', '/export')
    expect([status, headers.get('retry-after')]).toEqual([503, '5'])
    expect(body).toEqual({
      success: false,
      code: 'store_unavailable',
      errors: {},
      message: 'Clicks cannot be read at the moment. Try again in a few seconds.',
    })
  }
  rmSync(clicks.folder)
  renameSync(aside, clicks.folder)
  const { text } = await eventually(
    () => browser.request('GET', '/export'),
    ({ status }) => status === 200,
  )
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.filter(({ type }) => type === 'clicks').map(({ referrer }) => referrer)).toEqual([
    'closed',
    'closed, too',
    'open',
  ])
  expect(lines.at(-1)).toEqual({ type: 'end' })
})
