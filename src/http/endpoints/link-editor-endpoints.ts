import { z } from '@hono/zod-openapi'
import type { Caller } from '../../access/caller.ts'
import { errorCodesOf, FIELD_CODES, type FieldCode } from '../../errors/field-codes.ts'
import { type FieldErrors, invalid } from '../../errors/refusal.ts'
import { linkSchemasOf } from './create-link-endpoints.ts'
import { checkCode, checkNewLinks, suggestCode } from '../../links/check-links.ts'
import { DEVICES } from '../../clicks/visitor/read-user-agent.ts'
import type { Domains } from '../../links/domains/domains.ts'
import { linkList } from '../../links/link-fields.ts'
import { newLinkDomain, NO_SUCH_DOMAIN } from '../../links/place-links.ts'
import { bestMatches } from '../../links/lists/best-matches.ts'
import { conditionChoices } from '../../links/rules/condition-fields.ts'
import { usedUtmValues } from '../../links/used-utm-values.ts'
import { UTM_NAMES } from '../../links/utm-parameters.ts'
import { body, parameters } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import { searchParameter } from '../../validation/query-parameters.ts'
import { linkViewsWithParts, linkWithParts } from './link-parts.ts'

/** Where a new link would go. */
const domainParameters = z.object({ domain: z.string().optional() })
const domainQuery = parameters(domainParameters)
const searchParameters = z.object({ search: searchParameter })

function newDomain(domains: Domains, caller: Caller, domain: string | undefined): number {
  const id = newLinkDomain(domains, caller, domain)
  if (id === undefined) throw invalid({ domain: [NO_SUCH_DOMAIN] })
  return id
}

const names = z.array(z.string())
const conditionChoicesSchema = z.strictObject({
  country: names,
  device: z.array(z.enum(DEVICES)),
  os: names,
  browser: names,
})

const checkedRow = z.strictObject({
  index: z.int(),
  errors: z
    .record(z.string(), z.array(z.string()))
    .openapi({ description: 'What creating the link would answer; {} if it is valid.' }),
  error_codes: z.record(z.string(), z.array(z.enum(Object.keys(FIELD_CODES) as FieldCode[]))),
})
export type CheckedRow = z.infer<typeof checkedRow>

/** The error of `links.3.title` becomes the `title` of the row with index 3. */
function rowsOf(count: number, errors: FieldErrors): CheckedRow[] {
  const rows: CheckedRow[] = Array.from({ length: count }, (_, index) => ({
    index,
    errors: {},
    error_codes: {},
  }))
  for (const [field, sentences] of Object.entries(errors)) {
    const [, index = '0', name = 'link'] = /^links\.(\d+)(?:\.(.+))?$/.exec(field) ?? []
    rows[Number(index)]!.errors[name] = sentences
  }
  for (const row of rows) row.error_codes = errorCodesOf(row.errors)
  return rows
}

/** What editors and the command palette need beyond the API. */
export const linkEditorEndpoints = [
  endpoint({
    route: 'GET /find-links',
    who: 'session',
    role: 'links:read',
    description: 'The four that match best: by exact code first, archived ones last.',
    query: parameters(searchParameters),
    answer: {
      message: 'Links found.',
      data: z.array(linkWithParts),
      meta: z.strictObject({
        total: z.int(),
        is_more: z.boolean().openapi({ description: 'There may be more than `total`.' }),
      }),
    },
    async run({ caller, query: { search } }, deps) {
      const { listDb: db, clock, domains } = deps
      const { links, total, isMore } = await bestMatches({ db, clock, domains }, caller, search)
      const data = await linkViewsWithParts(deps, links, { caller, include: ['opened', 'version'] })
      return { data, meta: { total, is_more: isMore } }
    },
  }),
  endpoint({
    route: 'POST /links/check',
    who: 'session',
    role: 'links:create',
    input: body(z.object({ links: linkList })),
    answer: { message: 'Links checked; nothing was stored.', data: z.array(checkedRow) },
    async run({ caller, input: { links } }, deps) {
      const schemas = await linkSchemasOf(deps, caller)
      return { data: rowsOf(links.length, await checkNewLinks({ ...deps, schemas }, caller, links)) }
    },
  }),
  endpoint({
    route: 'GET /codes/{code}',
    who: 'session',
    role: 'links:create',
    query: domainQuery,
    answer: {
      message: 'Code checked.',
      data: z.strictObject({
        is_free: z.boolean(),
        reasons: z.array(z.string()),
        trashed_link: z.strictObject({ id: z.int(), short_code: z.string() }).nullable().openapi({
          description: 'The link in the trash that has the code. Restoring it brings the code back.',
        }),
      }),
    },
    async run({ caller, params, query: { domain } }, deps) {
      const domainId = newDomain(deps.domains, caller, domain)
      const check = { db: deps.db, schema: (await linkSchemasOf(deps, caller)).code }
      const { reasons, trashed } = await checkCode(check, caller, {
        domainId,
        code: deps.domains.codeOn(domainId, params.code!),
      })
      const link = trashed && { id: trashed.linkId, short_code: trashed.shortCode }
      return { data: { is_free: reasons.length === 0, reasons, trashed_link: link ?? null } }
    },
  }),
  endpoint({
    route: 'POST /codes',
    who: 'session',
    role: 'links:create',
    description: 'A code that is free now. Nothing is reserved.',
    query: domainQuery,
    answer: { message: 'Code suggested.', data: z.strictObject({ code: z.string() }) },
    async run({ caller, query: { domain } }, deps) {
      const domainId = newDomain(deps.domains, caller, domain)
      const { codeStyle } = await deps.codeSettings.of(caller)
      return { data: { code: await suggestCode(deps, caller, { domainId, codeStyle }) } }
    },
  }),
  endpoint({
    route: 'GET /condition-choices',
    who: 'session',
    role: 'links:read',
    description: 'What conditions of rules can name.',
    answer: { message: 'Choices retrieved.', data: conditionChoicesSchema },
    run: () => ({ data: conditionChoices() }),
  }),
  endpoint({
    route: 'GET /utm-values',
    who: 'session',
    role: 'links:read',
    description: 'Of the newest links; the most used first.',
    answer: {
      message: 'Values retrieved.',
      data: z.record(z.enum(UTM_NAMES), z.array(z.string())),
    },
    run: async ({ caller }, { reportDb: db }) => ({ data: await usedUtmValues({ db }, caller) }),
  }),
]
