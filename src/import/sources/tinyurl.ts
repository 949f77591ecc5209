import { memberAt } from '../files/json-pages.ts'
import { jsonSource } from '../files/json-source.ts'
import { textAt } from '../network/source-api.ts'

/** What `GET /urls/available` answers. */
export const tinyurl = jsonSource({
  title: 'TinyURL',
  list: memberAt('data'),
  api: {
    defaultUrl: 'https://api.tinyurl.com',
    credentials: (key) => ({ headers: { Authorization: `Bearer ${key}` } }),
    lists: ['available', 'archived'],
    links: {
      request: ({ list }) => ({ path: `/urls/${list}` }),
      id: textAt('tiny_url'),
      next: () => undefined,
    },
  },
  links(fields) {
    if (fields.isSet('deleted')) return { refused: 'It is deleted at TinyURL.' }
    const link = {
      domain: fields.text('domain'),
      code: fields.text('alias'),
      destination: fields.text('url'),
      title: fields.text('description'),
      tags: fields.names('tags'),
      createdAt: fields.time('created_at'),
      expiresAt: fields.time('expires_at'),
      isArchived: fields.isSet('archived'),
      clicks: fields.number('hits'),
    }
    return { links: [link] }
  },
})
