import type { Caller } from '../../access/caller.ts'
import type { FieldChanges } from '../../audit/changes-text.ts'
import { recordChange } from '../../audit/record-change.ts'
import { validated } from '../../errors/field-errors.ts'
import { Refusal } from '../../errors/refusal.ts'
import { readLogo } from '../../links/qr-style/qr-logo.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { DurableDb, Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { lockForCaller } from '../lock-for-caller.ts'
import { readSettings } from './read-settings.ts'
import {
  SETTING_NAMES,
  type SettingChanges,
  settingChanges,
  WORKSPACE_SETTINGS,
  type WorkspaceSettings,
} from './workspace-settings.ts'

export type ChangeSettingsDeps = { db: DurableDb; clock: Pick<Clock, 'nowUs'> }

/** What was sent, validated. Refuses settings that the caller may not change before it looks at their values. */
export function readSettingChanges(caller: Caller, sent: Record<string, unknown>): SettingChanges {
  refuseForbidden(caller, sent)
  return validated(settingChanges, sent)
}

function refuseForbidden(caller: Caller, sent: Record<string, unknown>): void {
  const forbidden = SETTING_NAMES.filter(
    (name) => sent[name] !== undefined && !caller.can(WORKSPACE_SETTINGS[name].action),
  )
  if (forbidden.length > 0) {
    throw new Refusal(
      'role_insufficient',
      `Insufficient permissions: only admins of the workspace can change ${forbidden.join(', ')}.`,
    )
  }
}

/**
 * Changes the settings that are named, and no other; null brings back what a setting was at first. Each is a row of its own, so
 * changes of different settings at the same time are all kept. Returns all settings after the change.
 */
export async function changeSettings(
  { db, clock }: ChangeSettingsDeps,
  caller: Caller,
  changes: SettingChanges,
): Promise<WorkspaceSettings> {
  // Only what can be drawn is stored.
  if (changes.qr_style?.logo) await readLogo(changes.qr_style.logo, 'qr_style.logo')
  const { workspaceId } = caller
  return transact(db, async (tx) => {
    refuseForbidden(await lockForCaller(tx, caller, 'templates:write'), changes)
    const before = await readSettings({ db: tx }, caller)
    // In one order, for requests that change several of them at the same time.
    for (const name of SETTING_NAMES) {
      const value = changes[name]
      if (value === undefined) continue
      if (value === null) {
        const rows = tx.deleteFrom('workspace_settings').where('workspace_id', '=', workspaceId)
        await rows.where('name', '=', name).execute()
        continue
      }
      const row = { value: JSON.stringify(value), updated_at: clock.nowUs() }
      await tx
        .insertInto('workspace_settings')
        .values({ workspace_id: workspaceId, name, ...row })
        .onConflict((conflict) => conflict.columns(['workspace_id', 'name']).doUpdateSet(row))
        .execute()
    }
    const after = await readSettings({ db: tx }, caller)
    await recordSettings({ tx, nowUs: clock.nowUs() }, caller, { before, after })
    return after
  })
}

type BeforeAndAfter = { before: WorkspaceSettings; after: WorkspaceSettings }

async function recordSettings(
  { tx, nowUs }: { tx: Tx; nowUs: number },
  caller: Caller,
  { before, after }: BeforeAndAfter,
): Promise<void> {
  const changes: FieldChanges = {}
  for (const name of SETTING_NAMES) {
    const from = before[name]
    const to = after[name]
    if (JSON.stringify(from) !== JSON.stringify(to)) changes[name] = { from, to }
  }
  const target = Object.keys(changes).join(', ')
  if (target !== '') await recordChange(tx, caller, { nowUs, action: 'settings.updated', target, changes })
}
