import { shortUrlParts } from '../files/csv-row.ts'
import type { FieldReader } from '../files/field-reader.ts'
import { memberAt } from '../files/json-pages.ts'
import { jsonSource } from '../files/json-source.ts'
import { lastOf, textAt } from '../network/source-api.ts'

/** Pages of `GET /v1/links`. */
export const rebrandly = jsonSource({
  title: 'Rebrandly',
  list: memberAt(),
  links(fields) {
    const link = {
      domain: fields.part('domain').text('fullName') ?? shortUrlParts(fields.text('shortUrl') ?? '')?.domain,
      code: fields.text('slashtag'),
      destination: fields.text('destination'),
      title: fields.text('title'),
      tags: fields.names('tags'),
      createdAt: fields.time('createdAt'),
      forwardQuery: fields.isSet('forwardParameters'),
      isDisabled: statusOf(fields) !== 'active',
      clicks: fields.number('clicks'),
    }
    return { links: [link] }
  },
  api: {
    defaultUrl: 'https://api.rebrandly.com',
    credentials: (key) => ({ headers: { apikey: key } }),
    lists: {
      request: ({ cursor }) => ({ path: '/v1/workspaces', query: after(cursor) }),
      items: memberAt(),
      id: textAt('id'),
      noun: 'workspace',
      name: textAt('name'),
      // A server that does not know this parameter here sends the same workspaces again.
      next: (page, position) =>
        position.items.length < PAGE_LENGTH ? undefined : lastOf(textAt('id'))(page, position),
    },
    links: {
      request: ({ list, cursor }) => ({
        path: '/v1/links',
        query: after(cursor),
        headers: { workspace: list },
      }),
      id: textAt('id'),
      next: lastOf(textAt('id')),
    },
  },
  lost: (fields) => [
    ...(statusOf(fields) === 'active'
      ? []
      : [`Its status at Rebrandly is ${statusOf(fields)}, so it is imported disabled.`]),
    ...(fields.isSet('favourite') ? ['That it is a favorite is lost.'] : []),
    ...(Array.isArray(fields.fields.scripts) && fields.fields.scripts.length > 0
      ? ['Its tracking scripts are not imported.']
      : []),
  ],
})

/** The most that it sends. */
const PAGE_LENGTH = 25
const after = (last: string | undefined) => ({ limit: String(PAGE_LENGTH), ...(last && { last }) })

const statusOf = (fields: FieldReader): string => fields.text('status') ?? 'active'
