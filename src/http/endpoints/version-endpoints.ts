import { z } from '@hono/zod-openapi'
import { findLink } from '../../links/find-link.ts'
import { listVersions, type LinkVersion } from '../../links/versions/list-versions.ts'
import { noSuchVersion, restoreVersion } from '../../links/versions/restore-version.ts'
import { isoMicroseconds } from '../../runtime/clock.ts'
import { linkSchema, linkView } from './link-view.ts'
import { pageParameters } from '../../validation/query-parameters.ts'
import { pageOf } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import { pageMeta } from '../requests/query.ts'
import { paginationMeta, timestamp } from './schemas.ts'

const named = z.strictObject({ id: z.int().min(1), name: z.string().openapi({ example: 'Ada Lovelace' }) })

const versionSchema = z
  .strictObject({
    version: z.int().min(1).openapi({ description: '1: the link as it was created.', example: 2 }),
    changed_at: timestamp(),
    changed_by: named.nullable().openapi({ description: 'The user; null when they are gone.' }),
    api_key: named.nullable().openapi({
      description: 'The API key that the change was made with; null without a key.',
      example: { id: 4, name: 'Newsletter' },
    }),
    changes: z.record(z.string(), z.strictObject({ from: z.unknown(), to: z.unknown() })).openapi({
      description: 'Field name to its values before and after; {} for the creation.',
      example: { original_url: { from: 'https://example.com/old', to: 'https://example.com/new' } },
    }),
  })
  .openapi('LinkVersion')

export type LinkVersionView = z.infer<typeof versionSchema>

const versionView = ({ version, changedAtUs, changedBy, apiKey, changes }: LinkVersion): LinkVersionView => ({
  version,
  changed_at: isoMicroseconds(changedAtUs),
  changed_by: changedBy,
  api_key: apiKey,
  changes,
})

function versionOf({ version = '' }: Readonly<Record<string, string>>): number {
  if (!/^[1-9]\d{0,8}$/.test(version)) throw noSuchVersion()
  return Number(version)
}

export const versionEndpoints = [
  endpoint({
    route: 'GET /links/{short_code}/versions',
    who: 'both',
    scope: 'links:read',
    tag: 'Links',
    summary: 'List the versions of a link',
    description:
      'Newest first. Each change of what visitors meet is a version; the latest 1,000 are kept. Notes, the archive and the external ID have none.',
    query: pageOf(pageParameters),
    answer: {
      message: 'Versions retrieved.',
      description: 'A page of versions.',
      data: z.array(versionSchema),
      meta: paginationMeta,
    },
    refusals: [404, 422],
    find: ({ deps, caller, key }) => findLink({ db: deps.readDb }, caller, key),
    async run({ caller, key, query: page }, { listDb }) {
      const { versions, total } = await listVersions({ db: listDb }, caller, { key, ...page })
      return { data: versions.map(versionView), meta: pageMeta(page, total) }
    },
  }),
  endpoint({
    route: 'POST /links/{short_code}/versions/{version}/restore',
    who: 'both',
    scope: 'links:write',
    tag: 'Links',
    summary: 'Restore a version of a link',
    description:
      'Gives the link the fields that it had as of that version, which is a new version. A password stays as it is. What is not allowed any more, such as a destination that is blocked since, is refused.',
    answer: { message: 'Version restored.', description: 'The link as it is now.', data: linkSchema },
    refusals: [404, 422],
    async run({ caller, key, params }, deps) {
      await restoreVersion(deps, caller, {
        key,
        version: versionOf(params),
      })
      return { data: linkView(deps, await findLink({ db: deps.readDb }, caller, key)) }
    },
  }),
]
