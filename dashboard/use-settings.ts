import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { SettingsInput, WorkspaceSettings } from '../src/http/endpoints/browser-types.ts'
import { ask } from './api-client.ts'
import { type ChangeOptions, useChange } from './use-change.ts'

// Settings of the workspace, which its members share.

export const SETTINGS = ['workspace', 'settings']
const UTM_VALUES = ['workspace', 'utm-values']

const readSettings = async () => (await ask('GET /workspace/settings')).data

export const useWorkspaceSettings = (isEnabled = true) =>
  useQuery({ queryKey: SETTINGS, queryFn: readSettings, enabled: isEnabled })

/** The values of UTM parameters in the newest links of the workspace. */
export const useUsedUtmValues = (isEnabled: boolean) =>
  useQuery({
    queryKey: UTM_VALUES,
    queryFn: async () => (await ask('GET /utm-values')).data,
    enabled: isEnabled,
  })

/** What to change is decided with the settings as they are now: other members change lists too. */
export function useSettingsChange<Input = void>(
  changeOf: (now: WorkspaceSettings, input: Input) => SettingsInput,
  options: ChangeOptions<WorkspaceSettings, Input> = {},
) {
  const client = useQueryClient()
  return useChange(async (input: Input) => {
    const change = changeOf(await readSettings(), input)
    const settings = (await ask('PUT /workspace/settings', { input: change })).data
    client.setQueryData(SETTINGS, settings)
    return settings
  }, options)
}
