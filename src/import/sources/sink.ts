import { memberAt } from '../files/json-pages.ts'
import { jsonSource } from '../files/json-source.ts'
import { socialPreview } from '../files/social-preview.ts'
import { countryRules, systemRules, withRules } from '../files/visitor-rules.ts'

/** What Sink exports in its dashboard, and answers to `GET /api/link/export`. */
export const sink = jsonSource({
  title: 'Sink',
  list: memberAt('links'),
  // Its dashboard puts the pages of its API together.
  hasMore: (page) => memberAt('list_complete')(page) === false,
  links(fields) {
    const link = {
      code: fields.text('slug'),
      destination: fields.text('url'),
      title: fields.text('title'),
      notes: fields.text('comment'),
      tags: fields.names('tags'),
      createdAt: fields.time('createdAt'),
      expiresAt: fields.time('expiration'),
      // There, parameters of the visitor win.
      forwardQuery: fields.isSet('redirectWithQuery') ? ('replace' as const) : false,
      ...fields.password('password', HIDDEN_PASSWORD),
      others: {
        ...socialPreview(fields),
        ...withRules([
          ...systemRules(fields, { ios: 'apple', android: 'google' }),
          ...countryRules(fields, 'geo'),
        ]),
      },
    }
    return { links: [link] }
  },
  lost: (fields) => fields.sentences(LOST),
})

/** Hashed since 2026, and masked in lists. */
const HIDDEN_PASSWORD = /^(sink-pwd:v\d+:|__SINK_MASKED__)/

const LOST: [field: string, sentence: string][] = [
  ['cloaking', 'Visitors will see the URL of the destination: there is no cloaking here.'],
  ['proxy', 'Visitors will be redirected: here no pages of others are passed on.'],
  ['unsafe', 'The warning in front of its destination is lost.'],
]
