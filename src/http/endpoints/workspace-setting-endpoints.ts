import { z } from '@hono/zod-openapi'
import { changeSettings, readSettingChanges } from '../../workspaces/settings/change-settings.ts'
import { readSettings } from '../../workspaces/settings/read-settings.ts'
import { settingAnswers, settingChanges } from '../../workspaces/settings/workspace-settings.ts'
import { endpoint } from '../dispatch/endpoint.ts'

// New objects, because the library can name only what was made after it was loaded.
const settings = z.strictObject(settingAnswers).openapi('WorkspaceSettings')
const changes = z.strictObject(settingChanges.shape).openapi('WorkspaceSettingChanges')

export const workspaceSettingEndpoints = [
  endpoint({
    route: 'GET /workspace/settings',
    who: 'both',
    scope: 'links:read',
    tag: 'Workspace',
    summary: 'Read the settings',
    description: 'All settings of the workspace. What was never changed has its initial value.',
    answer: { message: 'Settings retrieved.', description: 'The settings.', data: settings },
    run: async ({ caller }, { readDb }) => ({ data: await readSettings({ db: readDb }, caller) }),
  }),
  endpoint({
    route: 'PUT /workspace/settings',
    who: 'both',
    scope: 'workspace:write',
    // Unlike a key, which may change all settings or none, editors may change some of them.
    role: 'templates:write',
    tag: 'Workspace',
    summary: 'Change settings',
    description:
      'Settings that are absent stay as they are. A list replaces the one before. Each setting can have up to 64 KB of JSON, the style of QR codes 192 KB.',
    input: {
      schema: () => changes,
      example: {
        timezone: 'Europe/Berlin',
        utm_templates: [{ name: 'Newsletter', source: 'newsletter', medium: 'email' }],
      },
      read: (sent, { caller }) => readSettingChanges(caller!, sent),
    },
    answer: {
      message: 'Settings updated.',
      description: 'All settings as they are now.',
      data: settings,
    },
    refusals: [422],
    async run({ caller, input }, deps) {
      const data = await changeSettings(deps, caller, input)
      if (input.uncounted_networks !== undefined || input.count_visitor_utm !== undefined)
        await deps.redirectState.changed()
      deps.codeSettings.forget(caller.workspaceId)
      return { data }
    },
  }),
]
