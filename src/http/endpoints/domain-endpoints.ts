import { z } from '@hono/zod-openapi'
import { addDomain } from '../../domains/add-domain.ts'
import { editDomain } from '../../domains/edit-domain.ts'
import { findDomain } from '../../domains/find-domains.ts'
import { removeDomain } from '../../domains/remove-domain.ts'
import { verifyDomain } from '../../domains/verify-domain.ts'
import { Refusal } from '../../errors/refusal.ts'
import { configuredBody } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import type { ServerDeps } from '../dispatch/server-deps.ts'
import { domainSchema, findDomainView, listDomainViews } from './domain-view.ts'

/** The host of the path, as it is stored. */
const hostOf = ({ host = '' }: Readonly<Record<string, string>>): string => host.toLowerCase()

function countCheck({ domainCheckLimit }: ServerDeps, workspaceId: number): void {
  const { isAllowed, retryAfterSeconds } = domainCheckLimit.count([{ key: `${workspaceId}`, times: 1 }])
  if (!isAllowed)
    throw new Refusal('too_many_requests', 'Too many domains were checked. Try again in a minute.', {
      retryAfterSeconds,
    })
}

export const domainEndpoints = [
  endpoint({
    route: 'GET /domains',
    who: 'both',
    scope: 'links:read',
    tag: 'Domains',
    summary: 'List domains',
    description: 'All on which the workspace may have links: that of this server, its own, and shared ones.',
    answer: { message: 'Domains retrieved.', description: 'The domains.', data: z.array(domainSchema) },
    run: async ({ caller }, deps) => ({ data: await listDomainViews(deps, caller) }),
  }),
  endpoint({
    route: 'POST /domains',
    who: 'both',
    scope: 'domains:write',
    tag: 'Domains',
    summary: 'Add a domain',
    description:
      'It serves nothing until it is verified. The response says which TXT record to set, or which file to offer. A domain that was removed comes back with its links.',
    input: configuredBody(({ schemas }) => schemas.newDomain, {
      host: 'go.example.com',
    }),
    answer: { status: 201, message: 'Domain added.', description: 'The domain.', data: domainSchema },
    refusals: [422],
    async run({ caller, input: { host } }, deps) {
      await addDomain(deps, caller, host)
      return { data: await findDomainView(deps, caller, host) }
    },
  }),
  endpoint({
    route: 'GET /domains/{host}',
    who: 'both',
    scope: 'links:read',
    tag: 'Domains',
    summary: 'Read a domain',
    description: 'With what proves ownership, for those who may change domains.',
    answer: { message: 'Domain retrieved.', description: 'The domain.', data: domainSchema },
    refusals: [404],
    run: async ({ caller, params }, deps) => ({ data: await findDomainView(deps, caller, hostOf(params)) }),
  }),
  endpoint({
    route: 'PUT /domains/{host}',
    who: 'both',
    scope: 'domains:write',
    tag: 'Domains',
    summary: 'Edit a domain',
    description: 'Fields that are absent stay as they are. Only the operator can edit shared domains.',
    input: configuredBody(({ schemas }) => schemas.domainEdit, {
      home_url: 'https://www.example.com/',
      not_found_url: 'https://www.example.com/help',
    }),
    answer: { message: 'Domain updated.', description: 'The domain.', data: domainSchema },
    refusals: [404, 422],
    find: ({ deps, caller, params }) => findDomainView(deps, caller, hostOf(params)),
    async run({ caller, params, input: edit }, deps) {
      const host = hostOf(params)
      await editDomain(deps, caller, { name: host, edit })
      return { data: await findDomainView(deps, caller, host) }
    },
  }),
  endpoint({
    route: 'POST /domains/{host}/verify',
    who: 'both',
    scope: 'domains:write',
    tag: 'Domains',
    summary: 'Verify a domain',
    description:
      'Looks for the TXT record and the file now, and whether the domain leads to this server. `status` and `failure` say what was found. A workspace has 10 checks a minute.',
    answer: { message: 'Domain checked.', description: 'The domain.', data: domainSchema },
    refusals: [404, 422],
    async run({ caller, params }, deps) {
      const host = hostOf(params)
      // A domain that is not there costs no check.
      const domain = await findDomain(deps, caller, host)
      countCheck(deps, caller.workspaceId)
      await verifyDomain(deps, caller, domain)
      return { data: await findDomainView(deps, caller, host) }
    },
  }),
  endpoint({
    route: 'DELETE /domains/{host}',
    who: 'both',
    scope: 'domains:write',
    tag: 'Domains',
    summary: 'Remove a domain',
    description:
      'Its short URLs, `link_count` of them, stop working at once. The links and their analytics stay.',
    answer: { message: 'Domain removed.', description: 'Removed.' },
    refusals: [404],
    run: ({ caller, params }, deps) => removeDomain(deps, caller, hostOf(params)),
  }),
]
