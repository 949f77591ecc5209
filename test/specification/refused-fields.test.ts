import { beforeAll, describe, expect, test } from 'bun:test'
import { useOwnDashboardRig, useUser } from '../rigs/service/dashboard-rig.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import { DESTINATION, invalid, makeLink, statusAndBody } from './contract-rig.ts'
import {
  BASICS,
  BLOCKED,
  CONDITIONS,
  OPTIONS,
  type RefusedFields,
  RULES,
  TEXTS,
} from './refused-fields.data.ts'

// Whatever a link may not have is refused in the same words wherever links are created or changed, and nothing is stored.

const rig = useOwnDashboardRig()
const operator = useUser(rig)
const caller = useCaller(rig)

beforeAll(async () => {
  await operator.browser.succeed('POST', '/admin/blocked-hosts', { host: BLOCKED })
})

const CASES: RefusedFields[] = [...RULES, ...CONDITIONS, ...OPTIONS, ...TEXTS]

describe('a link is refused by the name of its field, and nothing is stored', () => {
  test.each(CASES)('%s', async (_what, fields, sentences) => {
    const { short_code: code } = await makeLink(rig, caller)
    const restored = await makeLinkThatHad(fields)
    const before = await stored()
    await expectRefused(code, fields, sentences)
    const { status, body } = await ask('POST', `links/${restored}/versions/1/restore`)
    expect([status, body.errors]).toEqual([422, listed(sentences)])
    expect(await stored()).toEqual(before)
  })

  // No version can have had them: they are checked on their own.
  test.each(BASICS)('%s', async (_what, fields, sentences) => {
    const { short_code: code } = await makeLink(rig, caller)
    const before = await stored()
    await expectRefused(code, fields, sentences)
    expect(await stored()).toEqual(before)
  })

  const own = (path = '') => `${rig.config.baseUrl}/${path}`
  const toUs = (name: string) => `The ${name} may not point to this service.`
  // A short URL never leads to another one of this service, so links cannot make a circle.
  const circles: [
    what: string,
    fieldsOf: (code: string) => Record<string, unknown>,
    errors: Record<string, string>,
  ][] = [
    ['a link to itself', (code) => ({ original_url: own(code) }), { original_url: toUs('original url') }],
    ['a link to another', () => ({ original_url: own('another') }), { original_url: toUs('original url') }],
    [
      'a fallback to the link itself',
      (code) => ({ fallback_url: own(code) }),
      { fallback_url: toUs('fallback url') },
    ],
    ['a fallback to the home page', () => ({ fallback_url: own() }), { fallback_url: toUs('fallback url') }],
    [
      'a rule to the link itself',
      (code) => ({ rules: [{ to: own(code) }] }),
      { 'rules.0.to': toUs('destination') },
    ],
    [
      'a part of a split to the link itself',
      (code) => ({
        rules: [
          {
            split: [
              { to: DESTINATION, weight: 1 },
              { to: own(code), weight: 1 },
            ],
          },
        ],
      }),
      { 'rules.0.split.1.to': toUs('destination') },
    ],
  ]

  test.each(circles)('%s', async (_what, fieldsOf, sentences) => {
    const { short_code: code } = await makeLink(rig, caller)
    const before = await stored()
    await expectRefused(code, fieldsOf(code), sentences)
    expect(await stored()).toEqual(before)
  })
})

const listed = (sentences: Record<string, string>, prefix = '') =>
  Object.fromEntries(Object.entries(sentences).map(([name, sentence]) => [prefix + name, [sentence]]))

/** An element of a list is called by its whole path. */
const inside = (prefix: string, sentences: Record<string, string>) => {
  const named = Object.entries(sentences).map(([name, text]) => {
    const isElement = /\.\d+$/.test(name)
    return [name, isElement ? text.replace(`The ${name} `, `The ${prefix}${name} `) : text] as const
  })
  return listed(Object.fromEntries(named), prefix)
}

/** On creation, in bulk, by an edit, and by an edit of many. */
async function expectRefused(
  code: string,
  fields: Record<string, unknown>,
  sentences: Record<string, string>,
) {
  const body = invalid(listed(sentences))
  const link = { original_url: DESTINATION, ...fields }
  expect(statusAndBody(await ask('POST', 'links', link))).toEqual({ status: 422, body })
  expect(statusAndBody(await ask('PUT', `links/${code}`, { title: 'New', ...fields }))).toEqual({
    status: 422,
    body,
  })
  const links = [{ original_url: DESTINATION }, link]
  const bulk = await ask('POST', 'bulk-shorten', { links })
  expect([bulk.status, bulk.body.errors]).toEqual([422, inside('links.1.', sentences)])
  const update = await ask('POST', 'links/bulk-update', { short_codes: [code], set: fields })
  expect([update.status, update.body.errors]).toEqual([422, bulkErrors(fields, sentences)])
}

const bulkErrors = (fields: Record<string, unknown>, sentences: Record<string, string>) => {
  const unknown = Object.keys(fields).filter((name) => !IN_BULK.includes(name))
  const refused = Object.fromEntries(
    unknown.map((name) => [`set.${name}`, [`The ${name.replaceAll('_', ' ')} field is unknown.`]]),
  )
  return unknown.length > 0 ? refused : inside('set.', sentences)
}

const ask = (method: string, path: string, body?: unknown) =>
  rig.call(method, `/api/${path}`, { key: caller.key, body })

/** All that a refused request could have changed. */
const stored = async () => {
  const links = (await ask('GET', 'links?archived=include&per_page=100')).body
  const labels = [(await ask('GET', 'tags')).body.data, (await ask('GET', 'folders')).body.data]
  const versions = await rig.store.db.selectFrom('link_versions').selectAll().execute()
  const codes = await rig.store.db.selectFrom('codes').selectAll().execute()
  return { links, labels, versions, codes }
}

/** Whose history has the fields, as if they had been allowed then. */
async function makeLinkThatHad(fields: Record<string, unknown>): Promise<string> {
  const { id, short_code: code } = await makeLink(rig, caller)
  await ask('PUT', `links/${code}`, { title: 'Two' })
  const changes = Object.entries(fields).map(([name, from]) => [name, { from, to: null }])
  await rig.store.db
    .updateTable('link_versions')
    .set({ changes: JSON.stringify(Object.fromEntries(changes)) })
    .where('link_id', '=', id)
    .execute()
  return code
}

/** What one request about many links sets. */
const IN_BULK = [
  'is_active',
  'archived',
  'tags',
  'folder',
  'starts_at',
  'expires_at',
  'max_clicks',
  'fallback_url',
  'forward_query',
  'forward_path',
  'redirect_status',
]
