import { useQueryClient } from '@tanstack/react-query'
import type { SettingsInput, WorkspaceSettings } from '../../src/http/endpoints/browser-types.ts'
import { ask } from '../api/api-client.ts'
import { type ChangeOptions, useChange } from '../api/use-change.ts'
import { useData } from '../api/use-data.ts'

// Settings of the workspace, which its members share.

export const SETTINGS = ['workspace', 'settings']

export const useWorkspaceSettings = (isEnabled = true) =>
  useData('GET /workspace/settings', { enabled: isEnabled })

/** What to change is decided with the settings as they are now: other members change lists too. */
export function useSettingsChange<Input = void>(
  changeOf: (now: WorkspaceSettings, input: Input) => SettingsInput,
  options: ChangeOptions<unknown, Input> = {},
) {
  const client = useQueryClient()
  return useChange(async (input: Input) => {
    const { data: now } = await ask('GET /workspace/settings')
    const answer = await ask('PUT /workspace/settings', { input: changeOf(now, input) })
    client.setQueryData(SETTINGS, answer)
  }, options)
}
