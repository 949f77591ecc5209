import { describe, expect, test } from 'bun:test'
import { useCaller } from '../rigs/service/service-rig.ts'
import { countLinks, invalid, makeLink, statusAndBody, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)

let pages = 0

describe('with reuse_existing', () => {
  test('a link is created once, and then found, however its destination is written', async () => {
    const page = newPage()
    const made = await reuse({ original_url: page, title: 'Page' })
    expect([made.status, made.body.message]).toEqual([201, 'Link created.'])
    const before = await countLinks(rig, caller)
    for (const original_url of [page, page.replace('https://example.com', 'HTTPS://EXAMPLE.com:443')]) {
      const found = await reuse({ original_url })
      expect(statusAndBody(found)).toEqual({
        status: 200,
        body: { success: true, message: 'Link found.', data: made.body.data },
      })
    }
    expect(await countLinks(rig, caller)).toBe(before)
    const other = await rig.makeCaller()
    const strangers = { reuse_existing: true, original_url: page }
    expect((await rig.call('POST', '/api/links', { key: other.key, body: strangers })).status).toBe(201)
  })

  test.each([false, null, undefined])('that is %s, two links are two links', async (reuse_existing) => {
    const original_url = newPage()
    for (let n = 0; n < 2; n++)
      expect((await ask('POST', '/api/links', { original_url, reuse_existing })).status).toBe(201)
  })

  const differences: [what: string, of: object, asked: object][] = [
    ['another destination', {}, { original_url: 'https://example.com/elsewhere' }],
    ['another query', {}, { utm: { source: 'mail' } }],
    ['a fragment', {}, { fragment: true }],
    ['a title', { title: 'Other' }, { title: 'Own' }],
    ['notes', {}, { notes: 'Own' }],
    ['an external ID', { external_id: 'other' }, { external_id: 'own' }],
    ['a QR style', { qr_style: { color: '#ff0000' } }, { qr_style: {} }],
    ['a code', { custom_code: 'reuse-other' }, { custom_code: 'reuse-own' }],
    ['an alias', { aliases: ['reuse-alias'] }, { aliases: ['reuse-alias-2'] }],
    ['a tag', { tags: ['one'] }, { tags: ['one', 'two'] }],
    ['a folder', { folder: 'One' }, { folder: 'Two' }],
    ['an end', {}, { expires_at: '2090-01-01T00:00:00Z' }],
    ['no end', { expires_at: '2090-01-01T00:00:00Z' }, {}],
    ['a limit', { max_clicks: 5 }, { max_clicks: 6 }],
    ['another status', { redirect_status: 301 }, {}],
    ['rules', {}, { rules: [{ when: { country: ['DE'] }, to: 'https://example.com/de' }] }],
    ['no card', { social_title: 'Card' }, {}],
    ['a password', { password: 'secret' }, {}],
    ['the same password', { password: 'secret' }, { password: 'secret' }],
    ['the switch off', {}, { is_active: false }],
    ['a disabled link', { is_active: false }, {}],
    ['an archived link', { archived: true }, {}],
    ['the archive', { archived: true }, { archived: true }],
  ]
  test.each(differences)('a difference makes a second link: %s', async (_what, fields, asked) => {
    const page = newPage()
    await makeLink(rig, caller, { original_url: page, ...fields })
    const original_url = 'fragment' in asked ? `${page}#own` : page
    expect((await reuse({ original_url, ...asked })).status).toBe(201)
  })

  const same: [what: string, of: object, asked: object][] = [
    ['a title that nobody asks for', { title: 'Own' }, {}],
    ['an empty title', { title: 'Own' }, { title: '', notes: '' }],
    ['notes and an ID', { notes: 'Own', external_id: 'same' }, { notes: 'Own', external_id: 'same' }],
    ['an ID that nobody asks for', { external_id: 'unasked' }, {}],
    ['a QR style that nobody asks for', { qr_style: { color: '#ff0000' } }, {}],
    ['its code', { custom_code: 'reuse-same' }, { custom_code: 'reuse-same' }],
    ['tags and a folder', { tags: ['A', 'b'], folder: 'F' }, { tags: ['a'], folder: 'f' }],
    ['tags that nobody asks for', { tags: ['A'], folder: 'F' }, { tags: [], folder: null }],
    ['its aliases', { aliases: ['same-1', 'same-2'] }, { aliases: ['same-2'] }],
    ['the default status', { redirect_status: 302 }, { forward_query: false, rules: [] }],
    [
      'every option',
      {
        starts_at: '2026-01-01T10:00:00+01:00',
        expires_at: '2090-01-01T00:00:00Z',
        max_clicks: 7,
        fallback_url: 'https://example.com',
        forward_query: true,
        forward_path: true,
        redirect_status: 307,
        social_title: 'Card',
        social_image_url: 'https://example.com/card.png',
        rules: [{ when: { country: ['DE'] }, to: 'https://example.com/de' }],
      },
      {
        starts_at: '2026-01-01T09:00:00Z',
        expires_at: '2090-01-01T00:00:00Z',
        max_clicks: 7,
        fallback_url: 'https://EXAMPLE.com/',
        forward_query: true,
        forward_path: true,
        redirect_status: 307,
        social_title: 'Card',
        social_image_url: 'https://example.com/card.png',
        rules: [{ to: 'https://example.com/de', when: { country: ['DE'] } }],
      },
    ],
  ]
  test.each(same)('what is the same, or not asked for, makes none: %s', async (_what, fields, asked) => {
    const original_url = newPage()
    const { short_code: code } = await makeLink(rig, caller, { original_url, ...fields })
    expect(await codeOf(reuse({ original_url, ...asked }), 200)).toBe(code)
  })

  test('a link in the trash is not found, and one that came back or was edited is', async () => {
    const original_url = newPage()
    const code = await codeOf(reuse({ original_url }), 201)
    await ask('DELETE', `/api/links/${code}`)
    const second = await codeOf(reuse({ original_url }), 201)
    await ask('PUT', `/api/links/${second}`, { original_url: newPage() })
    await ask('POST', `/api/links/${code}/restore`)
    expect(await codeOf(reuse({ original_url }), 200)).toBe(code)
    const { body } = await ask('GET', `/api/links/${second}`)
    expect(await codeOf(reuse({ original_url: body.data.original_url }), 200)).toBe(second)
  })

  test('a link whose destination was changed is found by the new one only', async () => {
    const [before, after] = [newPage(), newPage()]
    const { short_code: code } = await makeLink(rig, caller, { original_url: before })
    expect((await ask('PUT', `/api/links/${code}`, { original_url: after })).status).toBe(200)
    expect(await codeOf(reuse({ original_url: after }), 200)).toBe(code)
    expect(await codeOf(reuse({ original_url: before }), 201)).not.toBe(code)
  })

  test('a taken external ID is refused before a second link is made', async () => {
    const [page, other] = [newPage(), newPage()]
    await makeLink(rig, caller, { original_url: page, external_id: 'mine' })
    expect(statusAndBody(await reuse({ original_url: other, external_id: 'mine' }))).toEqual({
      status: 422,
      body: invalid({ external_id: ['The external id has already been taken.'] }),
    })
  })

  test('a request sent twice has the first answer, created or found', async () => {
    const original_url = newPage()
    const send = (key: string) =>
      rig.call('POST', '/api/links', {
        key: caller.key,
        body: { original_url, reuse_existing: true },
        headers: { 'Idempotency-Key': key },
      })
    const answers = [await send('r1'), await send('r2'), await send('r1'), await send('r2')]
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 201, 200])
    expect(new Set(answers.map(({ body }) => body.data.short_code)).size).toBe(1)
  })

  test.each(['yes', 1, {}])('%j is refused', async (reuse_existing) => {
    const { status, body } = await ask('POST', '/api/links', { original_url: newPage(), reuse_existing })
    expect([status, body]).toEqual([
      422,
      invalid({ reuse_existing: ['The reuse existing field must be true or false.'] }),
    ])
  })

  test('requests at the same time create one link', async () => {
    for (let round = 0; round < 5; round++) {
      const body = { original_url: newPage(), reuse_existing: true }
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          n % 2 === 0
            ? ask('POST', '/api/links', body)
            : ask('POST', '/api/bulk-shorten', { links: [body, body] }),
        ),
      )
      const codes = answers.flatMap(({ body: { data } }) => [data].flat().map((link: any) => link.short_code))
      expect([codes.length, new Set(codes).size]).toEqual([12, 1])
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    }
  })
})

describe('many links', () => {
  const bulk = (links: object[]) => ask('POST', '/api/bulk-shorten', { links })

  test('each say whether they reuse one, also one of the same request', async () => {
    const [there, twice, thrice] = [newPage(), newPage(), newPage()]
    const { short_code: code } = await makeLink(rig, caller, { original_url: there })
    const one = { reuse_existing: true }
    const { status, body } = await bulk([
      { original_url: there, ...one },
      { original_url: there },
      { original_url: twice },
      { original_url: twice, ...one },
      { original_url: thrice, title: 'T', ...one },
      { original_url: thrice, ...one },
      { original_url: thrice, title: 'U', ...one },
    ])
    expect([status, body.message, body.count]).toEqual([201, '4 links created, 3 found.', 7])
    const codes = body.data.map((link: any) => link.short_code)
    expect(codes[0]).toBe(code)
    expect([codes[2], codes[4]]).toEqual([codes[3], codes[5]])
    expect(new Set(codes).size).toBe(5)
    expect(body.data.map(({ original_url: url }: any) => url)).toEqual([
      there,
      there,
      twice,
      twice,
      thrice,
      thrice,
      thrice,
    ])
    const again = await bulk([{ original_url: twice, ...one }])
    expect([again.status, again.body.message, again.body.count]).toEqual([200, '1 link found.', 1])
  })

  test('of long destinations that begin alike are each found by their own', async () => {
    const long = `${newPage()}/${'x'.repeat(8_000)}`
    const links = Array.from({ length: 20 }, (_, n) => ({
      original_url: `${long}${n}`,
      reuse_existing: true,
    }))
    const made = await bulk(links)
    expect([made.status, made.body.message]).toEqual([201, '20 links created.'])
    const found = await bulk([...links.toReversed(), { original_url: long, reuse_existing: true }])
    expect([found.status, found.body.message]).toEqual([201, '1 link created, 20 found.'])
    const codes = (of: typeof made) => of.body.data.map((link: any) => link.short_code)
    expect(codes(found).slice(0, 20)).toEqual(codes(made).toReversed())
  })

  test('to one destination: the latest 100 are compared', async () => {
    const original_url = newPage()
    const made = await bulk(Array.from({ length: 100 }, (_, n) => ({ original_url, title: `Number ${n}` })))
    const asked = { original_url, title: 'Number 0' }
    expect(await codeOf(reuse(asked), 200)).toBe(made.body.data[0].short_code)
    await makeLink(rig, caller, { original_url })
    expect(await codeOf(reuse(asked), 201)).not.toBe(made.body.data[0].short_code)
  })
})

/** A destination that no other test uses. */
const newPage = () => `https://example.com/page-${++pages}`
const ask = (method: string, path: string, body?: unknown) =>
  rig.call(method, path, { key: caller.key, body })
const reuse = (fields: object) => ask('POST', '/api/links', { reuse_existing: true, ...fields })
const codeOf = async (asked: ReturnType<typeof ask>, status: number): Promise<string> => {
  const { status: given, body } = await asked
  expect([given, body.message]).toEqual([status, status === 201 ? 'Link created.' : 'Link found.'])
  return body.data.short_code
}
