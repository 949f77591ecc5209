export type { SettingsInput, WorkspaceSettings } from '../../../workspaces/settings/workspace-settings.ts'
