import { describe, expect, test } from 'bun:test'
import { usePrepared } from '../rigs/use-rig.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import { invalid, makeLink, open, statusAndBody, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)
const stranger = usePrepared(() => rig.makeCaller())

describe('the settings of a workspace', () => {
  test('have initial values, change by name, and null brings the initial value back', async () => {
    const own = await rig.makeCaller()
    expect(await read(own)).toEqual(INITIAL)
    const { status, body } = await change({ timezone: 'Asia/Kolkata', brand_colors: ['#AABBCC'] }, own)
    const changed = { ...INITIAL, timezone: 'Asia/Kolkata', brand_colors: ['#aabbcc'] }
    expect([status, body]).toEqual([200, { success: true, message: 'Settings updated.', data: changed }])
    expect(await read(own)).toEqual(changed)
    await change({ preview_pages: false, timezone: null }, own)
    expect(await read(own)).toEqual({ ...changed, preview_pages: false, timezone: null })
    expect((await change({}, own)).body.data).toEqual({ ...changed, preview_pages: false, timezone: null })
  })

  test('belong to one workspace', async () => {
    await change(GOOD)
    expect(await read()).toMatchObject(GOOD)
    expect(await read(stranger)).toEqual(INITIAL)
  })

  test('what a template does not set is null, and its texts are kept as they are', async () => {
    const utm_templates = [{ name: 'Ünï <b>', source: '', campaign: 'a b&c' }]
    const { data } = (await change({ utm_templates })).body
    expect(data.utm_templates).toEqual([
      { name: 'Ünï <b>', source: null, medium: null, campaign: 'a b&c', term: null, content: null },
    ])
  })
})

const many = <Value>(count: number, value: (index: number) => Value) =>
  Array.from({ length: count }, (_, i) => value(i))
const named = (name: unknown) => ({ ...TEMPLATE, name })

test('a setting that is called as the prototype of objects is refused', async () => {
  const { status, body } = await change(JSON.parse('{ "__proto__": 1 }'))
  expect([status, body.code, Object.keys(body.errors)]).toEqual([422, 'validation_failed', ['__proto__']])
})

const TEMPLATE = {
  name: 'Newsletter',
  source: 'newsletter',
  medium: 'email',
  campaign: 'spring',
  term: null,
  content: null,
}

test.each<[what: string, sent: Record<string, unknown>, errors: Record<string, string[]>]>([
  ['an unknown setting', { color: 1 }, { color: ['The color field is unknown.'] }],
  [
    'a setting by the name of what every object has',
    { constructor: 1, toString: null },
    {
      constructor: ['The constructor field is unknown.'],
      toString: ['The toString field is unknown.'],
    },
  ],
  ['a list that is none', { utm_templates: {} }, { utm_templates: ['The utm templates must be an array.'] }],
  [
    'too many templates',
    { utm_templates: many(51, (i) => named(`T${i}`)) },
    { utm_templates: ['The utm templates may not have more than 50 items.'] },
  ],
  [
    'a long name',
    { utm_templates: [TEMPLATE, named('x'.repeat(61))] },
    { 'utm_templates.1.name': ['The name may not be greater than 60 characters.'] },
  ],
  [
    'an empty name',
    { utm_templates: [named(' ')] },
    { 'utm_templates.0.name': ['The name field is required.'] },
  ],
  [
    'a name that is used twice',
    { utm_templates: [TEMPLATE, named('other'), named('newsletter ')] },
    { 'utm_templates.2.name': ['The name field has a duplicate value.'] },
  ],
  [
    'a long value',
    { utm_templates: [{ ...TEMPLATE, term: 'x'.repeat(201) }] },
    { 'utm_templates.0.term': ['The term may not be greater than 200 characters.'] },
  ],
  [
    'an unknown parameter',
    { utm_templates: [{ ...TEMPLATE, id: 1 }] },
    { 'utm_templates.0.id': ['The id field is unknown.'] },
  ],
  [
    'more than 64 KB',
    {
      utm_templates: many(50, (i) => ({
        ...named(`T${i}`),
        source: '😀'.repeat(200),
        medium: '😀'.repeat(200),
      })),
    },
    { utm_templates: ['The utm templates may not be larger than 64 KB.'] },
  ],
  ['a style that is no object', { qr_style: [] }, { qr_style: ['The qr style must be an object.'] }],
  [
    'a large style',
    { qr_style: { logo: `data:image/png;base64,${'A'.repeat(200_000)}` } },
    { 'qr_style.logo': ['The logo may not be greater than 128 KiB.'] },
  ],
  [
    'nine colors',
    { brand_colors: many(9, () => '#000000') },
    { brand_colors: ['The brand colors may not have more than 8 items.'] },
  ],
  [
    'a color by name',
    { brand_colors: ['#000000', 'red'] },
    { 'brand_colors.1': ['The brand_colors.1 must be a color such as #1a73e8.'] },
  ],
  [
    'a number for a switch',
    { preview_pages: 0 },
    { preview_pages: ['The preview pages field must be true or false.'] },
  ],
  [
    'an unknown time zone',
    { timezone: 'Mars/Olympus' },
    { timezone: ['The timezone must be a name of the IANA time zone database, such as Europe/Berlin.'] },
  ],
  [
    'several at once',
    { timezone: '+01:00', preview_pages: 'no' },
    {
      preview_pages: ['The preview pages field must be true or false.'],
      timezone: ['The timezone must be a name of the IANA time zone database, such as Europe/Berlin.'],
    },
  ],
])('%s is refused, and nothing is stored', async (_, sent, errors) => {
  const before = await read()
  const answer = await change({ brand_colors: ['#123456'], ...sent })
  expect(statusAndBody(answer)).toEqual({ status: 422, body: invalid(errors) })
  expect(await read()).toEqual(before)
})

test('preview pages that are turned off answer as an unknown link does; the link goes on redirecting', async () => {
  const own = await rig.makeCaller()
  const { short_code: code } = await makeLink(rig, own)
  const preview = () => rig.call('GET', `/${code}+`)
  const unknown = await rig.call('GET', '/no-such-link+')
  expect((await preview()).status).toBe(200)
  await change({ preview_pages: false }, own)
  const off = await preview()
  expect([off.status, off.text]).toEqual([404, unknown.text])
  expect((await open(rig, code)).status).toBe(302)
  await change({ preview_pages: true }, own)
  expect((await preview()).status).toBe(200)
})

const PATH = '/api/workspace/settings'

const read = async ({ key } = caller) => (await rig.call('GET', PATH, { key })).body.data
const change = (body: unknown, { key } = caller) => rig.call('PUT', PATH, { key, body })
const INITIAL = {
  utm_templates: [],
  qr_style: null,
  brand_colors: [],
  preview_pages: true,
  code_style: null,
  unusual_codes: false,
  uncounted_networks: [],
  count_visitor_utm: false,
  timezone: null,
}
const GOOD = {
  utm_templates: [TEMPLATE],
  brand_colors: ['#1a73e8', '#000000'],
  preview_pages: false,
  code_style: { characters: 'words', length: 3, prefix: 'go-' },
  unusual_codes: true,
  count_visitor_utm: true,
  timezone: 'Europe/Berlin',
}
