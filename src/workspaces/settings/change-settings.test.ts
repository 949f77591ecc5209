import { expect, test } from 'bun:test'
import { useAccountRig } from '../../../test/rigs/service/account-rig.ts'
import { callerWithRole } from '../../access/caller.ts'
import { qrStyle } from '../../links/qr-style/qr-style.ts'
import { changeSettings } from './change-settings.ts'
import { readSetting, readSettings } from './read-settings.ts'
import type { SettingChanges } from './workspace-settings.ts'

const rig = useAccountRig()

test('changes of different settings at the same time are all kept', async () => {
  const { workspaceId, userId } = await rig.makeAccount()
  const caller = callerWithRole({
    workspaceId,
    userId,
    role: 'admin',
    name: 'Ann',
    device: 'Firefox on Linux',
  })
  const changes: SettingChanges[] = [
    { brand_colors: ['#000000'] },
    { preview_pages: false },
    { timezone: 'Europe/Berlin' },
    { qr_style: qrStyle.parse({ modules: 'dots' }) },
  ]
  await Promise.all(changes.map((change) => changeSettings(rig.deps, caller, change)))
  const expected = Object.assign(
    {
      utm_templates: [],
      code_style: null,
      unusual_codes: false,
      uncounted_networks: [],
      count_visitor_utm: false,
    },
    ...changes,
  )
  expect(await readSettings(rig.deps, caller)).toEqual(expected)
})

test('what was never changed has no row, and a row keeps when it was changed', async () => {
  const { workspaceId, userId } = await rig.makeAccount()
  const caller = callerWithRole({
    workspaceId,
    userId,
    role: 'admin',
    name: 'Ann',
    device: 'Firefox on Linux',
  })
  await changeSettings(rig.deps, caller, { preview_pages: false, timezone: 'UTC' })
  await changeSettings(rig.deps, caller, { timezone: null })
  expect(await rig.db.selectFrom('workspace_settings').selectAll().execute()).toEqual([
    { workspace_id: workspaceId, name: 'preview_pages', value: 'false', updated_at: rig.clock.nowUs() },
  ])
  expect(await readSetting(rig.db, workspaceId, 'preview_pages')).toBe(false)
  expect(await readSetting(rig.db, workspaceId, 'timezone')).toBeNull()
  expect(await readSetting(rig.db, workspaceId + 1, 'preview_pages')).toBe(true)
})
