import { describe, expect, test } from 'bun:test'
import { useCaller } from '../rigs/service/service-rig.ts'
import { countLinks, DESTINATION, invalid, statusAndBody, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)

const create = (body: unknown) => rig.call('POST', '/api/links', { key: caller.key, body })

const NOT_A_URL = 'The original url must be a valid URL that starts with http:// or https://.'
const NO_OTHER_SITE = 'The original url may not point to a private address.'

const refused: [what: string, change: Record<string, unknown>, errors: Record<string, string[]>][] = [
  [
    'without a destination, under both names of the field',
    { original_url: undefined },
    { original_url: ['The original url field is required.'], url: ['The url field is required.'] },
  ],
  [
    'with an empty destination',
    { original_url: '' },
    { original_url: ['The original url field is required.'], url: ['The url field is required.'] },
  ],
  [
    'with two different destinations',
    { url: 'https://example.com/other' },
    { url: ['The url and original url must be the same when both are sent.'] },
  ],
  [
    'with a bad url, under the name that the client used',
    { original_url: undefined, url: 'example.com' },
    { url: ['The url must start with https:// or another scheme. Did you mean https://example.com?'] },
  ],
  [
    'whose destination is no string',
    { original_url: 7 },
    { original_url: ['The original url must be a string.'] },
  ],
  ['whose destination is relative', { original_url: '/launch' }, { original_url: [NOT_A_URL] }],
  [
    'whose destination is no web address',
    { original_url: 'ftp://example.com/' },
    { original_url: [NOT_A_URL] },
  ],
  ['whose destination is a script', { original_url: 'javascript:alert(1)' }, { original_url: [NOT_A_URL] }],
  ['whose destination has a control', { original_url: `${DESTINATION}\nx` }, { original_url: [NOT_A_URL] }],
  ['whose destination has a DEL', { original_url: `${DESTINATION}\x7fx` }, { original_url: [NOT_A_URL] }],
  ['whose destination has a backslash', { original_url: `${DESTINATION}\\x` }, { original_url: [NOT_A_URL] }],
  [
    'whose destination is too long',
    { original_url: 'https://example.com/'.padEnd(8193, 'a') },
    { original_url: ['The original url may not be greater than 8192 characters.'] },
  ],
  [
    'whose destination is too long once it is percent-encoded',
    { original_url: 'https://example.com/'.padEnd(2000, '日') },
    { original_url: ['The original url may not be greater than 8192 bytes after percent-encoding.'] },
  ],
  [
    'whose destination names a user',
    { original_url: 'https://bank.com@example.com/' },
    { original_url: ['The original url may not contain a user name or password.'] },
  ],
  [
    'whose destination is a private address',
    { original_url: 'http://10.0.0.1/' },
    { original_url: [NO_OTHER_SITE] },
  ],
  ['whose destination is loopback', { original_url: 'http://127.0.0.1/' }, { original_url: [NO_OTHER_SITE] }],
  ['whose title is no string', { title: 7 }, { title: ['The title must be a string.'] }],
  [
    'whose title is too long',
    { title: 'a'.repeat(256) },
    { title: ['The title may not be greater than 255 characters.'] },
  ],
  [
    'whose title has a control',
    { title: 'a\0b' },
    { title: ['The title may not contain control characters.'] },
  ],
  [
    'whose title is broken Unicode',
    { title: '\ud800' },
    { title: ['The title must be well-formed Unicode.'] },
  ],
  [
    'whose state is a word',
    { is_active: 'yes' },
    { is_active: ['The is active field must be true or false.'] },
  ],
  [
    'with faults in several fields, naming each',
    { original_url: 'x', title: 7, custom_code: 'é', is_active: 1 },
    {
      original_url: [NOT_A_URL],
      title: ['The title must be a string.'],
      custom_code: [
        'The custom code must be between 3 and 64 characters.',
        'The custom code may only contain letters, numbers, dashes and underscores.',
      ],
      is_active: ['The is active field must be true or false.'],
    },
  ],
]

describe('a link is refused and nothing is stored', () => {
  test.each(refused)('%s', async (_what, change, errors) => {
    const before = await countLinks(rig, caller)
    const answer = await create({ original_url: DESTINATION, title: 'Launch', ...change })
    expect(statusAndBody(answer)).toEqual({ status: 422, body: invalid(errors) })
    expect(await countLinks(rig, caller)).toBe(before)
  })

  test('whose destination is the service itself', async () => {
    const before = await countLinks(rig, caller)
    const answer = await create({ original_url: `${rig.config.baseUrl}/launch-1` })
    expect(statusAndBody(answer)).toEqual({
      status: 422,
      body: invalid({ original_url: ['The original url may not point to this service.'] }),
    })
    expect(await countLinks(rig, caller)).toBe(before)
  })
})
