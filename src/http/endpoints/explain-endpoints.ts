import { z } from '@hono/zod-openapi'
import { validated } from '../../errors/field-errors.ts'
import { findLink } from '../../links/find-link.ts'
import { linkSchemasOf } from './create-link-endpoints.ts'
import { keyOf } from '../../links/domains/key-of.ts'
import { readLinkEdit, readNewLink } from '../../links/read-links.ts'
import { placeLinks } from '../../links/place-links.ts'
import { findOwnRoute, routeOfEdit, routeOfNewLink } from '../../links/routes/own-route.ts'
import { parameters, type SchemaDeps } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import type { ServerDeps } from '../dispatch/server-deps.ts'
import { textParameter } from '../requests/query.ts'
import { readTogether } from '../requests/read-request.ts'
import { editorVisit, explain, explainedVisit, explanationSchema } from './explained-visit.ts'
import { isObject } from '../../validation/is-object.ts'

const routeDeps = ({ readDb, blocks, destinationRules }: ServerDeps) => ({
  db: readDb,
  blocks,
  destinationRules,
  ownHosts: destinationRules.ownHosts,
})

/** What the body has, whatever the fields of its link are. */
const editorParts = z.object({
  short_code: z.string('The short code must be a string.').nullish(),
  // Its fields are read by the schemas of links. Not z.record(), which looks at each of them.
  link: z.custom<Record<string, unknown>>(isObject, 'The link must be an object.'),
})

/**
 * A link as it stands in the editor. With `short_code`, what the edit of that link changes: the rest is as stored, such as a
 * password that is kept.
 */
function editorBody({ schemas: { newLink, linkEdit } }: SchemaDeps) {
  return editorParts.extend({ link: z.union([newLink, linkEdit]), visit: editorVisit.optional() })
}

export const explainEndpoints = [
  endpoint({
    route: 'GET /links/{short_code}/resolve',
    who: 'both',
    scope: 'links:read',
    tag: 'Links',
    summary: 'Explain where a link leads',
    description:
      'What a visitor would meet, and why, by the decision that real visits run through. Counts nothing. Of a split, each request draws a part by its weight.',
    query: parameters(explainedVisit),
    answer: { message: 'Link explained.', description: 'The explanation.', data: explanationSchema },
    refusals: [404, 422],
    find: ({ deps, caller, key }) => findLink({ db: deps.readDb }, caller, key),
    async run({ caller, key, query: visit }, deps) {
      return { data: explain(deps, await findOwnRoute(routeDeps(deps), caller, key), visit) }
    },
  }),
  endpoint({
    route: 'POST /links/resolve',
    who: 'session',
    role: 'links:create',
    description: 'Of a link as it stands in the editor. Nothing is stored.',
    query: {
      schema: z.object({ domain: z.string().optional() }),
      read: (query) => textParameter(query, 'domain'),
    },
    input: {
      schema: editorBody,
      async read(sent, { deps, caller }) {
        const schemas = await linkSchemasOf(deps, caller!)
        return readTogether({
          link: () => {
            const { short_code: code, link } = validated(editorParts, sent)
            return code == null
              ? { created: readNewLink(link, schemas) }
              : { code, edit: readLinkEdit({ code, input: link }, deps.schemas) }
          },
          visit: () => validated(editorVisit, sent.visit ?? {}, ['visit']),
        })
      },
    },
    answer: { message: 'Link explained; nothing was stored.', data: explanationSchema },
    async run({ caller, input: { link, visit }, query: domain }, deps) {
      if (link.created !== undefined) {
        const [placed] = placeLinks(deps.domains, caller, [link.created])
        return { data: explain(deps, routeOfNewLink(routeDeps(deps), caller, placed!), visit) }
      }
      const { code, edit } = link
      const key = await keyOf(deps, caller, { code, domain })
      return { data: explain(deps, await routeOfEdit(routeDeps(deps), caller, { key, edit }), visit) }
    },
  }),
]
