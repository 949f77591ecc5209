import type { Caller } from '../../access/caller.ts'
import type { AnyDb } from '../../store/handles.ts'
import {
  SETTING_NAMES,
  type SettingName,
  type SettingValue,
  WORKSPACE_SETTINGS,
  type WorkspaceSettings,
} from './workspace-settings.ts'

/** All settings of the caller's workspace. */
export async function readSettings(
  { db }: { db: AnyDb },
  { workspaceId }: Pick<Caller, 'workspaceId'>,
): Promise<WorkspaceSettings> {
  const rows = await db
    .selectFrom('workspace_settings')
    .select(['name', 'value'])
    .where('workspace_id', '=', workspaceId)
    .execute()
  const byName = new Map(rows.map(({ name, value }) => [name, value]))
  const values = SETTING_NAMES.map((name) => [name, valueOfSetting(name, byName.get(name))])
  return Object.fromEntries(values) as WorkspaceSettings
}

/** One setting of a workspace, for what happens without a caller. */
export async function readSetting<Name extends SettingName>(
  db: AnyDb,
  workspaceId: number,
  name: Name,
): Promise<SettingValue<Name>> {
  const row = await db
    .selectFrom('workspace_settings')
    .select('value')
    .where('workspace_id', '=', workspaceId)
    .where('name', '=', name)
    .executeTakeFirst()
  return valueOfSetting(name, row?.value)
}

/** `stored`: undefined where it was never changed. */
export const valueOfSetting = <Name extends SettingName>(
  name: Name,
  stored: string | undefined,
): SettingValue<Name> =>
  (stored === undefined ? WORKSPACE_SETTINGS[name].initial : JSON.parse(stored)) as SettingValue<Name>
