import { z } from '@hono/zod-openapi'
import type { DestinationRules } from '../../../links/destinations/destination.ts'
import type { editLink } from '../../../links/edit-link.ts'
import { findLink } from '../../../links/find-link.ts'
import { linkSchemas } from '../../../links/link-fields.ts'
import { listVersions, type LinkVersion } from '../../../links/versions/list-versions.ts'
import { noSuchVersion, restoreVersion } from '../../../links/versions/restore-version.ts'
import { isoMicroseconds } from '../../../runtime/clock.ts'
import type { Store } from '../../../store/open-store.ts'
import { pageMeta, pageParameters, pageReaders } from '../../requests/paged-list.ts'
import { success } from '../../responses/envelope.ts'
import type { CallerEndpoint } from '../keyed-endpoint.ts'
import { linkSchema, linkView, type LinkViewDeps } from './link-view.ts'
import { timestamp } from '../../endpoints/schemas.ts'
import { readTogether } from '../../requests/read-together.ts'
import { envelope, paginationMeta } from '../../endpoints/schemas.ts'

type VersionEndpointsDeps = Omit<Parameters<typeof editLink>[0], 'db'> &
  LinkViewDeps & { store: Store; destinationRules: DestinationRules }

const PATH = '/api/links/{short_code}/versions'

const named = z.strictObject({ id: z.int().min(1), name: z.string().openapi({ example: 'Ada Lovelace' }) })

const versionSchema = z
  .strictObject({
    version: z.int().min(1).openapi({ description: '1: the link as it was created.', example: 2 }),
    changed_at: timestamp(),
    changed_by: named.nullable().openapi({ description: 'The user; null when they are gone.' }),
    api_key: named.nullable().openapi({
      description:
        'The API key that the change was made with; null without a key. That of the creation is known for as long as the audit log has it (400 days by default).',
      example: { id: 4, name: 'Newsletter' },
    }),
    changes: z.record(z.string(), z.strictObject({ from: z.unknown(), to: z.unknown() })).openapi({
      description: 'Field name to its values before and after; {} for the creation.',
      example: { original_url: { from: 'https://example.com/old', to: 'https://example.com/new' } },
    }),
  })
  .openapi('LinkVersion')

export type LinkVersionView = z.infer<typeof versionSchema>

export function versionEndpoints(deps: VersionEndpointsDeps): CallerEndpoint[] {
  return [listEndpoint(deps), restoreEndpoint(deps)]
}

const versionView = ({ version, changedAtUs, changedBy, apiKey, changes }: LinkVersion): LinkVersionView => ({
  version,
  changed_at: isoMicroseconds(changedAtUs),
  changed_by: changedBy,
  api_key: apiKey,
  changes,
})

function listEndpoint({ store }: VersionEndpointsDeps): CallerEndpoint {
  return {
    method: 'get',
    path: PATH,
    tag: 'Links',
    summary: 'List the versions of a link',
    description:
      'Newest first. Each change of what visitors meet is a version; the latest 1,000 are kept. Notes, the archive and the external ID have none.',
    access: 'key',
    scope: 'links:read',
    query: pageParameters,
    answer: {
      status: 200,
      description: 'A page of versions.',
      schema: envelope('Versions retrieved.', { data: z.array(versionSchema), meta: paginationMeta }),
    },
    refusals: [404, 422],
    find: (caller, key) => findLink({ db: store.readDb }, caller, key),
    async handle({ caller, key, query }) {
      const page = readTogether(pageReaders(query))
      const { versions, total } = await listVersions({ db: store.listDb }, caller, {
        key,
        ...page,
      })
      return {
        body: success('Versions retrieved.', {
          data: versions.map(versionView),
          meta: pageMeta(page, total),
        }),
      }
    },
  }
}

function restoreEndpoint(deps: VersionEndpointsDeps): CallerEndpoint {
  const { store, codeLog, clock, changes, destinationRules } = deps
  const schemas = linkSchemas(destinationRules)
  return {
    method: 'post',
    path: `${PATH}/{version}/restore`,
    tag: 'Links',
    summary: 'Restore a version of a link',
    description:
      'Gives the link the fields that it had as of that version, which is a new version. A password stays as it is. What is not allowed any more, such as a destination that is blocked since, is refused.',
    access: 'key',
    scope: 'links:write',
    answer: {
      status: 200,
      description: 'The link as it is now.',
      schema: envelope('Version restored.', { data: linkSchema }),
    },
    refusals: [404, 422],
    async handle({ caller, key, params }) {
      const version = versionOf(params.version ?? '')
      await restoreVersion({ db: store.db, codeLog, clock, changes, schemas }, caller, { key, version })
      const link = await findLink({ db: store.readDb }, caller, key)
      return { body: success('Version restored.', { data: linkView(deps, link) }) }
    },
  }
}

function versionOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw noSuchVersion()
  return Number(text)
}
