import { DESTINATION } from './contract-rig.ts'

// What no link may have: the fields that are sent, and the errors by their names in a request about one link.

export type RefusedFields = [what: string, fields: Record<string, unknown>, errors: Record<string, string>]

/** Blocked by the operator, with its subdomains. */
export const BLOCKED = 'refused.example'

const to = DESTINATION
const part = { to, weight: 1 }
const hours = { from: '09:00', to: '17:00', timezone: 'Europe/Berlin' }

const UNKNOWN = (name: string) => `The ${name} field is unknown.`
const NOT_A_WEIGHT = 'The weight must be a whole number from 1 to 100.'
const NOT_A_URL = (name: string) => `The ${name} must be a valid URL that starts with http:// or https://.`
const PRIVATE = (name: string) => `The ${name} may not point to a private address.`
const IS_BLOCKED = (name: string) => `The ${name} may not lead there: the host is blocked.`
const NOT_A_ZONE = 'The timezone must be a name of the IANA time zone database, such as Europe/Berlin.'
const NOT_A_TIME = (name: string) =>
  `The ${name} must be a time in ISO 8601 with its zone, such as 2026-12-01T09:00:00Z.`
const AFTER_START = 'The end must be after the start.'
const NOT_A_STATUS = 'The redirect status must be 301, 302, 307 or 308.'
const NOT_A_COUNT = 'The click limit must be a whole number from 1 to 1,000,000,000.'
const LETTERS = 'may only contain letters, numbers, dashes and underscores.'

/** One rule with these conditions. */
const when = (what: string, conditions: unknown, errors: Record<string, string>): RefusedFields => [
  `a rule for ${what}`,
  { rules: [{ when: conditions, to }] },
  Object.fromEntries(Object.entries(errors).map(([name, error]) => [`rules.0.when${name}`, error])),
]

/** One rule that splits. */
const split = (what: string, parts: unknown, errors: Record<string, string>): RefusedFields => [
  `a split ${what}`,
  { rules: [{ split: parts }] },
  Object.fromEntries(Object.entries(errors).map(([name, error]) => [`rules.0.split${name}`, error])),
]

const weights = [0, 101, 1.5, '50', null].map((weight) =>
  split(`with the weight ${JSON.stringify(weight)}`, [part, { to, weight }], { '.1.weight': NOT_A_WEIGHT }),
)

export const BASICS: RefusedFields[] = [
  ['a destination that is none', { original_url: 'x' }, { original_url: NOT_A_URL('original url') }],
  [
    'a destination that is no string',
    { original_url: 7 },
    { original_url: 'The original url must be a string.' },
  ],
  [
    'a destination that is too long',
    { original_url: 'https://example.com/'.padEnd(8193, 'a') },
    { original_url: 'The original url may not be greater than 8192 characters.' },
  ],
  [
    'a destination that is too long once it is percent-encoded',
    { original_url: 'https://example.com/'.padEnd(2000, '日') },
    { original_url: 'The original url may not be greater than 8192 bytes after percent-encoding.' },
  ],
  [
    'a destination that names a user',
    { original_url: 'https://bank.com@example.com/' },
    { original_url: 'The original url may not contain a user name or password.' },
  ],
  [
    'a destination that is private',
    { original_url: 'http://10.0.0.1/' },
    { original_url: PRIVATE('original url') },
  ],
  [
    'a destination at a blocked host',
    { original_url: `https://sub.${BLOCKED}/` },
    { original_url: IS_BLOCKED('original url') },
  ],
  [
    'two different destinations',
    { original_url: to, url: `${to}?2` },
    { url: 'The url and original url must be the same when both are sent.' },
  ],
  ['a title that is no string', { title: 7 }, { title: 'The title must be a string.' }],
  [
    'a title that is too long',
    { title: 'a'.repeat(256) },
    { title: 'The title may not be greater than 255 characters.' },
  ],
  ['a title with a control', { title: 'a\0b' }, { title: 'The title may not contain control characters.' }],
  ['a title of broken Unicode', { title: '\ud800' }, { title: 'The title must be well-formed Unicode.' }],
  [
    'a state that is a word',
    { is_active: 'yes' },
    { is_active: 'The is active field must be true or false.' },
  ],
  [
    'faults in several fields, naming each',
    { original_url: 'x', title: 7 },
    { original_url: NOT_A_URL('original url'), title: 'The title must be a string.' },
  ],
]

export const RULES: RefusedFields[] = [
  ['rules that are no list', { rules: { 0: { to } } }, { rules: 'The rules must be an array.' }],
  ['21 rules', { rules: Array(21).fill({ to }) }, { rules: 'The rules may not have more than 20 items.' }],
  [
    'rules that are long together',
    { rules: Array(20).fill({ to: to.padEnd(2_000, 'a') }) },
    { rules: 'The rules may not be greater than 32768 characters as JSON.' },
  ],
  ['a rule that is no object', { rules: [{ to }, 'x'] }, { 'rules.1': 'The rules.1 must be an object.' }],
  ['a rule that is null', { rules: [null] }, { 'rules.0': 'The rules.0 must be an object.' }],
  [
    'an unknown field of a rule',
    { rules: [{ to, priority: 1 }] },
    { 'rules.0.priority': UNKNOWN('priority') },
  ],
  [
    'a rule that leads nowhere',
    { rules: [{ when: { country: ['DE'] } }] },
    { 'rules.0.to': 'The destination field is required when split is absent.' },
  ],
  [
    'a rule that leads to two places',
    { rules: [{ to, split: [part, part] }] },
    { 'rules.0.split': 'The split field may not be sent together with a destination.' },
  ],
  [
    'a rule that leads to a script',
    { rules: [{ to: 'javascript:alert(1)' }] },
    { 'rules.0.to': NOT_A_URL('destination') },
  ],
  [
    'a rule that leads to a private host',
    { rules: [{ to: 'http://10.1.2.3/' }] },
    { 'rules.0.to': PRIVATE('destination') },
  ],
  [
    'a rule that leads to a blocked host',
    { rules: [{ to }, { to: `https://www.${BLOCKED}/` }] },
    { 'rules.1.to': IS_BLOCKED('destination') },
  ],
  split('without parts', {}, { '': 'The split must be an array.' }),
  split('of one part', [part], { '': 'The split must have between 2 and 10 items.' }),
  split('of eleven parts', Array(11).fill(part), { '': 'The split must have between 2 and 10 items.' }),
  split('with an unknown field', [part, { ...part, name: 'B' }], { '.1.name': UNKNOWN('name') }),
  split('with a part that leads nowhere', [part, { weight: 1 }], {
    '.1.to': 'The destination field is required.',
  }),
  split('to a blocked host', [part, { to: `https://${BLOCKED}/`, weight: 1 }], {
    '.1.to': IS_BLOCKED('destination'),
  }),
  ...weights,
]

export const CONDITIONS: RefusedFields[] = [
  when('no object', [], { '': 'The when must be an object.' }),
  when('an unknown condition', { city: ['Berlin'] }, { '.city': UNKNOWN('city') }),
  when(
    'a country that is none',
    { country: ['DE', 'XX'] },
    {
      '.country.1': 'The rules.0.when.country.1 must be a country in ISO 3166, such as DE.',
    },
  ),
  when('no country', { country: [] }, { '.country': 'The country must have between 1 and 50 items.' }),
  when(
    '51 countries',
    { country: Array(51).fill('DE') },
    {
      '.country': 'The country must have between 1 and 50 items.',
    },
  ),
  when(
    'a device that is none',
    { device: ['phone'] },
    {
      '.device.0': 'The rules.0.when.device.0 must be one of desktop, mobile, tablet, other.',
    },
  ),
  when(
    'a system that is none',
    { os: ['TempleOS'] },
    {
      '.os.0': 'The rules.0.when.os.0 must be a name that the analytics use, such as iOS.',
    },
  ),
  when(
    'a browser that is none',
    { browser: [7] },
    { '.browser.0': 'The rules.0.when.browser.0 must be a string.' },
  ),
  when(
    'a language that is none',
    { language: ['en', 'en_US'] },
    {
      '.language.1': 'The rules.0.when.language.1 must be a language tag, such as de or pt-BR.',
    },
  ),
  when('no parameter', { query: {} }, { '.query': 'The query must have between 1 and 10 names.' }),
  when(
    'a parameter without a name',
    { query: { '': true } },
    {
      '.query': 'The names of the query must have between 1 and 100 characters.',
    },
  ),
  when(
    'a parameter that is absent',
    { query: { q: false } },
    {
      '.query.q': 'The q must be true or a string of at most 255 characters.',
    },
  ),
  when(
    'no time',
    { between: {} },
    { '.between.from': 'The start field is required when the end is absent.' },
  ),
  when(
    'a time without zone',
    { between: { from: '2026-12-01T09:00:00' } },
    { '.between.from': NOT_A_TIME('start') },
  ),
  when(
    'a time before its start',
    { between: { from: '2026-12-02T00:00:00Z', to: '2026-12-01T00:00:00Z' } },
    {
      '.between.to': 'The end must be after the start.',
    },
  ),
  when(
    'hours of a zone that does not exist',
    { hours: { ...hours, timezone: 'Mars/Olympus' } },
    {
      '.hours.timezone': NOT_A_ZONE,
    },
  ),
  when('hours of an offset', { hours: { ...hours, timezone: '+02:00' } }, { '.hours.timezone': NOT_A_ZONE }),
  when(
    'hours without a zone',
    { hours: { from: '09:00', to: '17:00' } },
    {
      '.hours.timezone': 'The timezone must be a string.',
    },
  ),
  when(
    'hours that are none',
    { hours: { ...hours, from: '25:00' } },
    {
      '.hours.from': 'The start must be a time from 00:00 to 24:00, such as 09:00.',
    },
  ),
  when(
    'hours that never begin',
    { hours: { ...hours, to: '09:00' } },
    {
      '.hours.to': 'The end must differ from the start. The whole day is from 00:00 to 24:00.',
    },
  ),
  when(
    'a day that is none',
    { hours: { ...hours, days: ['mon', 'monday'] } },
    {
      '.hours.days.1': 'The rules.0.when.hours.days.1 must be one of mon, tue, wed, thu, fri, sat, sun.',
    },
  ),
]

const counts = [0, -1, 1.5, 1_000_000_001, '5'].map((max_clicks): RefusedFields => [
  `the click limit ${JSON.stringify(max_clicks)}`,
  { max_clicks },
  { max_clicks: NOT_A_COUNT },
])

export const OPTIONS: RefusedFields[] = [
  ['an empty password', { password: '' }, { password: 'The password must be at least 1 character.' }],
  [
    'a password that is too long',
    { password: 'é'.repeat(129) },
    { password: 'The password may not be greater than 128 characters.' },
  ],
  ['a password that is no string', { password: 1234 }, { password: 'The password must be a string.' }],
  [
    'a password with a control character',
    { password: 'a\0b' },
    { password: 'The password may not contain control characters.' },
  ],
  [
    'a password with half a character',
    { password: '\ud83d' },
    { password: 'The password must be well-formed Unicode.' },
  ],
  ...counts,
  [
    'an end before the start',
    { starts_at: '2030-01-02T00:00:00Z', expires_at: '2030-01-02T00:30:00+01:00' },
    { expires_at: AFTER_START },
  ],
  ['a start without zone', { starts_at: '2030-01-01T00:00:00' }, { starts_at: NOT_A_TIME('start') }],
  ['an end that is a number', { expires_at: 1_893_456_000 }, { expires_at: 'The end must be a string.' }],
  [
    'an end before the start, beside another error',
    { starts_at: '2030-01-02T00:00:00Z', expires_at: '2030-01-01T00:00:00Z', redirect_status: 303 },
    { redirect_status: NOT_A_STATUS, expires_at: AFTER_START },
  ],
  [
    'an end in a zone that is none',
    { expires_at: '2030-01-01T00:00:00 Europe/Berlin' },
    { expires_at: NOT_A_TIME('end') },
  ],
  [
    'an end that no clock shows',
    { expires_at: '9999-12-31T23:59:59Z' },
    { expires_at: 'The end must be between the years 1685 and 2254.' },
  ],
  [
    'a fallback to a script',
    { fallback_url: 'data:text/html,x' },
    { fallback_url: NOT_A_URL('fallback url') },
  ],
  ['an empty fallback', { fallback_url: '' }, { fallback_url: NOT_A_URL('fallback url') }],
  [
    'a fallback to a private host',
    { fallback_url: 'http://localhost/' },
    { fallback_url: PRIVATE('fallback url') },
  ],
  [
    'a fallback to a blocked host',
    { fallback_url: `https://${BLOCKED}/` },
    { fallback_url: IS_BLOCKED('fallback url') },
  ],
  [
    'a forwarding that is a word',
    { forward_query: 'yes' },
    { forward_query: 'The forward query field must be true, false or "replace".' },
  ],
  ['a status that is no redirect', { redirect_status: '301' }, { redirect_status: NOT_A_STATUS }],
  ['an archive that is a number', { archived: 1 }, { archived: 'The archived field must be true or false.' }],
]

export const TEXTS: RefusedFields[] = [
  [
    'a card whose title is too long',
    { social_title: '<b>'.repeat(41) },
    { social_title: 'The social title may not be greater than 120 characters.' },
  ],
  [
    'a card whose text is too long',
    { social_description: 'a'.repeat(301) },
    { social_description: 'The social description may not be greater than 300 characters.' },
  ],
  [
    'a card whose text has a line break',
    { social_description: 'a\nb' },
    { social_description: 'The social description may not contain control characters.' },
  ],
  [
    'a card whose picture has no https',
    { social_image_url: 'http://example.com/card.png' },
    { social_image_url: 'The social image url must be a URL that starts with https://.' },
  ],
  [
    'a card whose picture is in the URL',
    { social_image_url: 'data:image/svg+xml,<svg/>' },
    { social_image_url: NOT_A_URL('social image url') },
  ],
  [
    'a card whose picture has a private host',
    { social_image_url: 'https://192.168.0.1/a.png' },
    { social_image_url: PRIVATE('social image url') },
  ],
  [
    'a card whose picture has a blocked host',
    { social_image_url: `https://${BLOCKED}/a.png` },
    { social_image_url: IS_BLOCKED('social image url') },
  ],
  [
    'notes that are too long',
    { notes: 'a'.repeat(2_001) },
    { notes: 'The notes may not be greater than 2000 characters.' },
  ],
  [
    'notes with a control character',
    { notes: 'a\0' },
    { notes: 'The notes may not contain control characters.' },
  ],
  ['notes that are a list', { notes: ['a'] }, { notes: 'The notes must be a string.' }],
  [
    'an external ID that is too long',
    { external_id: 'a'.repeat(256) },
    { external_id: 'The external id may not be greater than 255 characters.' },
  ],
  [
    'an external ID with half a character',
    { external_id: '\ud800' },
    { external_id: 'The external id must be well-formed Unicode.' },
  ],
  [
    'an external ID that is a number',
    { external_id: 7 },
    { external_id: 'The external id must be a string.' },
  ],
  [
    '11 aliases',
    { aliases: Array.from({ length: 11 }, (_, n) => `alias-${n}`) },
    { aliases: 'The aliases may not have more than 10 items.' },
  ],
  ['an alias that is no code', { aliases: ['fine', 'no!'] }, { 'aliases.1': `The aliases.1 ${LETTERS}` }],
  [
    '21 tags',
    { tags: Array.from({ length: 21 }, (_, n) => `never stored ${n}`) },
    { tags: 'The tags may not have more than 20 items.' },
  ],
  ['an empty tag', { tags: ['never stored', ' '] }, { 'tags.1': 'The tags.1 may not be empty.' }],
  [
    'a tag that is too long',
    { tags: ['x'.repeat(51)] },
    { 'tags.0': 'The tags.0 may not be greater than 50 characters.' },
  ],
  ['tags that are no list', { tags: 'never stored' }, { tags: 'The tags must be an array.' }],
  ['a tag that is a number', { tags: ['never stored', 7] }, { 'tags.1': 'The tags.1 must be a string.' }],
  [
    'a tag with a line break',
    { tags: ['a\nb'] },
    { 'tags.0': 'The tags.0 may not contain control characters.' },
  ],
  ['an empty folder', { folder: '' }, { folder: 'The folder may not be empty.' }],
  [
    'a folder that is too long',
    { folder: 'x'.repeat(61) },
    { folder: 'The folder may not be greater than 60 characters.' },
  ],
  ['a folder that is a list', { folder: ['never stored'] }, { folder: 'The folder must be a string.' }],
  [
    'a UTM parameter that is too long',
    { utm: { source: 'a'.repeat(201) } },
    { 'utm.source': 'The source may not be greater than 200 characters.' },
  ],
  ['an unknown UTM parameter', { utm: { foo: 'x' } }, { 'utm.foo': UNKNOWN('foo') }],
  ['UTM parameters that are a list', { utm: ['a'] }, { utm: 'The utm must be an object.' }],
]
