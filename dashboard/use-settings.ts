import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { SettingsInput, WorkspaceSettings } from '../src/http/endpoints/browser-types.ts'
import { ask } from './api-client.ts'

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
export function useSettingsChange({ onDone }: { onDone: () => void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (changeOf: (now: WorkspaceSettings) => SettingsInput) =>
      (await ask('PUT /workspace/settings', { input: changeOf(await readSettings()) })).data,
    onSuccess: (settings) => {
      client.setQueryData(SETTINGS, settings)
      onDone()
    },
  })
}
