import { z } from '@hono/zod-openapi'
import type { Clock } from '../../../runtime/clock.ts'
import type { Store } from '../../../store/open-store.ts'
import { changeSettings, readSettingChanges } from '../../../workspaces/settings/change-settings.ts'
import { readSettings } from '../../../workspaces/settings/read-settings.ts'
import { settingAnswers, settingChanges } from '../../../workspaces/settings/workspace-settings.ts'
import { success } from '../../responses/envelope.ts'
import type { CallerEndpoint } from '../keyed-endpoint.ts'
import { envelope } from '../../endpoints/schemas.ts'

type WorkspaceEndpointsDeps = { store: Pick<Store, 'db' | 'readDb'>; clock: Clock }

const PATH = '/api/workspace/settings'

/** /api/workspace/settings */
export function workspaceEndpoints(deps: WorkspaceEndpointsDeps): CallerEndpoint[] {
  return [readEndpoint(deps), changeEndpoint(deps)]
}

// New objects, because the library can name only what was made after it was loaded.
const settings = z.strictObject(settingAnswers).openapi('WorkspaceSettings')
const changes = z.strictObject(settingChanges.shape).openapi('WorkspaceSettingChanges')

function readEndpoint({ store }: WorkspaceEndpointsDeps): CallerEndpoint {
  return {
    method: 'get',
    path: PATH,
    tag: 'Workspace',
    summary: 'Read the settings',
    description: 'All settings of the workspace. What was never changed has its initial value.',
    access: 'key',
    scope: 'links:read',
    answer: {
      status: 200,
      description: 'The settings.',
      schema: envelope('Settings retrieved.', { data: settings }),
    },
    async handle({ caller }) {
      const data = await readSettings({ db: store.readDb }, caller)
      return { body: success('Settings retrieved.', { data }) }
    },
  }
}

function changeEndpoint({ store: { db }, clock }: WorkspaceEndpointsDeps): CallerEndpoint {
  return {
    method: 'put',
    path: PATH,
    tag: 'Workspace',
    summary: 'Change settings',
    description:
      'Settings that are absent stay as they are. A list replaces the one before. Each setting can have up to 64 KB of JSON, the style of QR codes 192 KB.',
    access: 'key',
    scope: 'workspace:write',
    body: {
      schema: changes,
      example: {
        timezone: 'Europe/Berlin',
        utm_templates: [{ name: 'Newsletter', source: 'newsletter', medium: 'email' }],
      },
    },
    answer: {
      status: 200,
      description: 'All settings as they are now.',
      schema: envelope('Settings updated.', { data: settings }),
    },
    refusals: [422],
    async handle({ caller, input }) {
      const data = await changeSettings({ db, clock }, caller, readSettingChanges(caller, input))
      return { body: success('Settings updated.', { data }) }
    },
  }
}
