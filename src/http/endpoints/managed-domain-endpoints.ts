import { z } from '@hono/zod-openapi'
import { operatorIn, type SignedInCaller } from '../../access/caller.ts'
import { browseDomains, type ListedDomain } from '../../domains/browse-domains.ts'
import { editSharedDomain, sharedDomainEdit } from '../../domains/edit-shared-domain.ts'
import { DOMAIN_STATUSES, findDomain } from '../../domains/find-domains.ts'
import { removeDomain } from '../../domains/remove-domain.ts'
import { addSharedDomain, removeSharedDomain } from '../../domains/shared-domains.ts'
import { verifyDomain } from '../../domains/verify-domain.ts'
import { workspaceById } from '../../operator/manage-workspaces.ts'
import { isoMicroseconds, isoOrNull } from '../../runtime/clock.ts'
import { body, configuredBody, pageOf } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import type { ServerDeps } from '../dispatch/server-deps.ts'
import { pageMeta, searchedPageParameters } from '../requests/query.ts'
import { idOf } from '../requests/read-request.ts'
import { paginationMeta, timestamp } from './schemas.ts'

const domainSchema = z.strictObject({
  id: z.int(),
  host: z.string(),
  workspace: z
    .strictObject({ id: z.int(), name: z.string() })
    .nullable()
    .meta({ description: 'Null if every workspace can use it.' }),
  status: z.enum(DOMAIN_STATUSES),
  failure: z.string().nullable().meta({ description: 'What the last check has missed.' }),
  verified_at: timestamp().nullable(),
  checked_at: timestamp().nullable(),
  failing_since: timestamp().nullable(),
  case_insensitive: z.boolean(),
  created_at: timestamp(),
})
export type ManagedDomainView = z.infer<typeof domainSchema>

const domainView = (domain: ListedDomain): ManagedDomainView => ({
  id: domain.id,
  host: domain.host,
  workspace: domain.workspace,
  status: domain.status,
  failure: domain.failure,
  verified_at: isoOrNull(domain.verifiedAtUs),
  checked_at: isoOrNull(domain.checkedAtUs),
  failing_since: isoOrNull(domain.failingSinceUs),
  case_insensitive: domain.ignoresCase,
  created_at: isoMicroseconds(domain.createdAtUs),
})

type InWorkspace = { params: Readonly<Record<string, string>>; caller: SignedInCaller }

/** The operator in the workspace of the path. */
const operatorAt = async ({ db }: ServerDeps, { params, caller }: InWorkspace) =>
  operatorIn((await workspaceById(db, idOf(params))).id, caller)

const hostIn = ({ host = '' }: Readonly<Record<string, string>>) => host.toLowerCase()

/** The domains of all workspaces, and the shared ones, for operators. */
export const managedDomainEndpoints = [
  endpoint({
    route: 'GET /admin/domains',
    who: 'session',
    role: 'operator',
    query: pageOf(searchedPageParameters),
    answer: { message: 'Domains retrieved.', data: z.array(domainSchema), meta: paginationMeta },
    async run({ query: page }, { db }) {
      const { domains, total } = await browseDomains(db, page)
      return { data: domains.map(domainView), meta: pageMeta(page, total) }
    },
  }),
  endpoint({
    route: 'POST /admin/domains',
    who: 'session',
    role: 'operator',
    description: 'A domain that every workspace can use.',
    input: configuredBody(({ schemas }) => schemas.newDomain),
    answer: { status: 201, message: 'Domain added.', data: z.strictObject({ host: z.string() }) },
    async run({ input: { host }, caller }, deps) {
      await addSharedDomain(deps, caller, host)
      return { data: { host } }
    },
  }),
  endpoint({
    route: 'PUT /admin/domains/{host}',
    who: 'session',
    role: 'operator',
    description: 'A domain that every workspace can use, or that of `BASE_URL`.',
    input: body(sharedDomainEdit),
    answer: { message: 'Domain updated.' },
    run: ({ params, input: edit, caller }, deps) =>
      editSharedDomain(deps, caller, { host: hostIn(params), edit }),
  }),
  endpoint({
    route: 'DELETE /admin/domains/{host}',
    who: 'session',
    role: 'operator',
    answer: { message: 'Domain removed.' },
    run: ({ params, caller }, deps) => removeSharedDomain(deps, caller, hostIn(params)),
  }),
  endpoint({
    route: 'POST /admin/workspaces/{id}/domains/{host}/verify',
    who: 'session',
    role: 'operator',
    answer: {
      message: 'Domain checked.',
      data: z.strictObject({ failure: z.string().nullable().meta({ description: 'Null: it is verified.' }) }),
    },
    async run(request, deps) {
      const owner = await operatorAt(deps, request)
      const domain = await findDomain(deps, owner, hostIn(request.params))
      const checking = { ...deps, domainCheckPlaces: deps.operatorCheckPlaces }
      const { ownership } = await verifyDomain(checking, owner, domain)
      return { data: { failure: ownership ?? null } }
    },
  }),
  endpoint({
    route: 'DELETE /admin/workspaces/{id}/domains/{host}',
    who: 'session',
    role: 'operator',
    answer: { message: 'Domain removed.' },
    run: async (request, deps) => removeDomain(deps, await operatorAt(deps, request), hostIn(request.params)),
  }),
]
