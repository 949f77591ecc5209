import { z } from '@hono/zod-openapi'
import { addDomain } from '../../../domains/add-domain.ts'
import { domainHost } from '../../../domains/domain-host.ts'
import { editDomain } from '../../../domains/edit-domain.ts'
import { removeDomain } from '../../../domains/remove-domain.ts'
import { findDomain } from '../../../domains/find-domains.ts'
import { type VerifyDeps, verifyDomain } from '../../../domains/verify-domain.ts'
import type { Caller } from '../../../access/caller.ts'
import type { Config } from '../../../config/config.ts'
import { validated } from '../../../errors/field-errors.ts'
import { Refusal } from '../../../errors/refusal.ts'
import { WindowLimit } from '../../../limits/window-limit.ts'
import { destinationHref } from '../../../links/destinations/destination-field.ts'
import type { DestinationRules } from '../../../links/destinations/destination.ts'
import { trueOrFalse } from '../../../validation/field-rules.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { ReportDb } from '../../../store/handles.ts'
import { success } from '../../responses/envelope.ts'
import type { CallerEndpoint } from '../keyed-endpoint.ts'
import { domainSchema, type DomainView, findDomainView, listDomainViews } from './domain-view.ts'
import { envelope } from '../../endpoints/schemas.ts'

export type DomainEndpointsDeps = Omit<VerifyDeps, 'baseUrl'> & {
  clock: Clock
  config: Config
  destinationRules: DestinationRules
  reportDb: ReportDb
}

/** For each workspace. */
const CHECKS_PER_MINUTE = { windowMs: 60_000, max: 10 }
const PATH = '/api/domains'
const ONE = `${PATH}/{host}`
const tag = 'Domains'
const access = 'key'

/** /api/domains */
export const domainEndpoints = (deps: DomainEndpointsDeps): CallerEndpoint[] => [
  listEndpoint(deps),
  addEndpoint(deps),
  readEndpoint(deps),
  editEndpoint(deps),
  verifyEndpoint(deps),
  removeEndpoint(deps),
]

const one = (message: string) => envelope(message, { data: domainSchema })

/** The host of the path, as it is stored. */
const hostOf = ({ host = '' }: Readonly<Record<string, string>>): string => host.toLowerCase()

const viewOf = (deps: DomainEndpointsDeps, caller: Caller, host: string): Promise<DomainView> =>
  findDomainView(deps, caller, host)

function listEndpoint(deps: DomainEndpointsDeps): CallerEndpoint {
  const message = 'Domains retrieved.'
  return {
    ...{ method: 'get', path: PATH, tag, access, scope: 'links:read' },
    summary: 'List domains',
    description: 'All on which the workspace may have links: that of this server, its own, and shared ones.',
    answer: {
      status: 200,
      description: 'The domains.',
      schema: envelope(message, { data: z.array(domainSchema) }),
    },
    async handle({ caller }) {
      return { body: success(message, { data: await listDomainViews(deps, caller) }) }
    },
  }
}

function addEndpoint(deps: DomainEndpointsDeps): CallerEndpoint {
  const message = 'Domain added.'
  const schema = z.object({ host: domainHost(deps.config) })
  return {
    ...{ method: 'post', path: PATH, tag, access, scope: 'domains:write' },
    summary: 'Add a domain',
    description:
      'It serves nothing until it is verified. The response says which TXT record to set, or which file to offer. A domain that was removed comes back with its links.',
    body: { schema: schema.openapi('NewDomain'), example: { host: 'go.example.com' } },
    answer: { status: 201, description: 'The domain.', schema: one(message) },
    refusals: [422],
    async handle({ caller, input }) {
      const { host } = validated(schema, input)
      await addDomain(deps, caller, host)
      return { status: 201, body: success(message, { data: await viewOf(deps, caller, host) }) }
    },
  }
}

function readEndpoint(deps: DomainEndpointsDeps): CallerEndpoint {
  const message = 'Domain retrieved.'
  return {
    ...{ method: 'get', path: ONE, tag, access, scope: 'links:read' },
    summary: 'Read a domain',
    description: 'With what proves ownership, for those who may change domains.',
    answer: { status: 200, description: 'The domain.', schema: one(message) },
    refusals: [404],
    async handle({ caller, params }) {
      return { body: success(message, { data: await viewOf(deps, caller, hostOf(params)) }) }
    },
  }
}

function editEndpoint(deps: DomainEndpointsDeps): CallerEndpoint {
  const message = 'Domain updated.'
  const page = (description: string) =>
    destinationHref(deps.destinationRules)
      .nullish()
      .openapi({ description, example: 'https://www.example.com/' })
  const schema = z.object({
    is_default: trueOrFalse
      .refine((isDefault) => isDefault, 'To change the default domain, make another one the default.')
      .optional()
      .openapi({ description: 'true: new links are on this domain unless they name another.' }),
    home_url: page('Where the domain without a code leads; null: a page that says what it is.'),
    not_found_url: page('Where unknown codes lead; null: the notice page.'),
    expired_url: page('Where links lead that have ended and have no fallback; null: the notice page.'),
  })
  return {
    ...{ method: 'put', path: ONE, tag, access, scope: 'domains:write' },
    summary: 'Edit a domain',
    description: 'Fields that are absent stay as they are. Only the operator can edit shared domains.',
    body: {
      schema: schema.openapi('DomainEdit'),
      example: { home_url: 'https://www.example.com/', not_found_url: 'https://www.example.com/help' },
    },
    answer: { status: 200, description: 'The domain.', schema: one(message) },
    refusals: [404, 422],
    async handle({ caller, params, input }) {
      const host = hostOf(params)
      await viewOf(deps, caller, host)
      const edit = validated(schema, input)
      await editDomain({ ...deps, baseUrl: deps.config.baseUrl }, caller, { name: host, edit })
      return { body: success(message, { data: await viewOf(deps, caller, host) }) }
    },
  }
}

function verifyEndpoint(deps: DomainEndpointsDeps): CallerEndpoint {
  const message = 'Domain checked.'
  const limit = new WindowLimit(deps.clock, CHECKS_PER_MINUTE)
  return {
    ...{ method: 'post', path: `${ONE}/verify`, tag, access, scope: 'domains:write' },
    summary: 'Verify a domain',
    description:
      'Looks for the TXT record and the file now, and whether the domain leads to this server. `status` and `failure` say what was found. A workspace has 10 checks a minute.',
    answer: { status: 200, description: 'The domain.', schema: one(message) },
    refusals: [404, 422],
    async handle({ caller, params }) {
      const host = hostOf(params)
      // A domain that is not there costs no check.
      const domain = await findDomain(deps, caller, host)
      const { isAllowed, retryAfterSeconds } = limit.count([{ key: `${caller.workspaceId}`, times: 1 }])
      if (!isAllowed)
        throw new Refusal('too_many_requests', 'Too many domains were checked. Try again in a minute.', {
          retryAfterSeconds,
        })
      await verifyDomain({ ...deps, baseUrl: deps.config.baseUrl }, caller, domain)
      return { body: success(message, { data: await viewOf(deps, caller, host) }) }
    },
  }
}

function removeEndpoint(deps: DomainEndpointsDeps): CallerEndpoint {
  const message = 'Domain removed.'
  return {
    ...{ method: 'delete', path: ONE, tag, access, scope: 'domains:write' },
    summary: 'Remove a domain',
    description:
      'Its short URLs, `link_count` of them, stop working at once. The links and their analytics stay.',
    answer: { status: 200, description: 'Removed.', schema: envelope(message, {}) },
    refusals: [404],
    async handle({ caller, params }) {
      await removeDomain(deps, caller, hostOf(params))
      return { body: success(message) }
    },
  }
}
