import {
  changeSettings,
  type ChangeSettingsDeps,
  readSettingChanges,
} from '../../workspaces/settings/change-settings.ts'
import { type DashboardEndpoint, endpoint } from './dashboard-endpoint.ts'

/** Unlike a key, which may change all settings or none, editors may change some of them. Reading is shared with the API. */
export function workspaceSettingEndpoints(deps: ChangeSettingsDeps): DashboardEndpoint[] {
  return [
    endpoint('PUT /workspace/settings', 'templates:write', async ({ caller, input }) => ({
      message: 'Settings updated.',
      data: await changeSettings(deps, caller, readSettingChanges(caller, input)),
    })),
  ]
}
