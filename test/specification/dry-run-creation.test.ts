import { expect, test } from 'bun:test'
import { useCaller } from '../rigs/service/service-rig.ts'
import { countLinks, DESTINATION, invalid, makeLink, statusAndBody, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)
const stranger = useCaller(rig)

const shorten = (body: object, { key } = caller, headers: Record<string, string> = {}) =>
  rig.call('POST', '/api/bulk-shorten', { key, body, headers })

test('rules of all links together are limited, also in a dry run, before they are validated', async () => {
  const rules = Array.from({ length: 20 }, () => ({ when: { country: ['DE'] }, to: DESTINATION }))
  const most = Array.from({ length: 50 }, () => ({ original_url: DESTINATION, rules }))
  const over = [...most, { original_url: 'not a URL', rules: [{ to: DESTINATION }] }]
  const before = await countLinks(rig, caller)
  for (const dry_run of [true, false])
    expect(statusAndBody(await shorten({ links: over, dry_run }))).toEqual({
      status: 422,
      body: invalid({ links: ['The links have 1,001 rules; a request may have at most 1,000.'] }),
    })
  expect(await countLinks(rig, caller)).toBe(before)
  expect((await shorten({ links: most, dry_run: true })).status).toBe(200)
  expect((await shorten({ links: most })).status).toBe(201)
  expect(await countLinks(rig, caller)).toBe(before + 50)
})

test('a dry run says what would happen, and stores and reserves nothing', async () => {
  const there = await makeLink(rig, caller, { original_url: `${DESTINATION}/there` })
  const before = await countLinks(rig, caller)
  const links = [
    {
      original_url: `${DESTINATION}/a`,
      custom_code: 'planned-code',
      aliases: ['planned-alias'],
      tags: ['planned'],
    },
    { original_url: `${DESTINATION}/b` },
    { original_url: `${DESTINATION}/there`, reuse_existing: true },
    { original_url: `${DESTINATION}/b`, reuse_existing: true },
  ]
  const repeat = { 'Idempotency-Key': crypto.randomUUID() }
  const planned = await shorten({ links, dry_run: true }, caller, repeat)
  expect(statusAndBody(planned)).toEqual({
    status: 200,
    body: {
      success: true,
      message: '2 links would be created; nothing was stored.',
      count: 4,
      data: [
        { action: 'create', short_code: 'planned-code', original_url: `${DESTINATION}/a` },
        { action: 'create', short_code: null, original_url: `${DESTINATION}/b` },
        { action: 'reuse', short_code: there.short_code, original_url: `${DESTINATION}/there` },
        { action: 'reuse', short_code: null, original_url: `${DESTINATION}/b` },
      ],
    },
  })
  expect(await countLinks(rig, caller)).toBe(before)
  expect((await rig.call('GET', '/api/tags', caller)).body.data).toEqual([])
  const codes = await rig.store.db
    .selectFrom('codes')
    .select('code')
    .where('code', 'like', 'planned-%')
    .execute()
  expect(codes).toEqual([])
  // The code is still free for others, and the key is not used up.
  await makeLink(rig, stranger, { custom_code: 'planned-code' })
  const real = await shorten({ links: links.slice(1) }, caller, repeat)
  expect([real.status, real.headers.get('idempotent-replayed')]).toEqual([201, null])
})

test('a dry run refuses what creating would refuse', async () => {
  await makeLink(rig, stranger, { custom_code: 'taken-by-them' })
  await makeLink(rig, caller, { external_id: 'taken-id' })
  for (const link of [
    { original_url: DESTINATION, custom_code: 'taken-by-them' },
    { original_url: DESTINATION, external_id: 'taken-id' },
    { original_url: 'ftp://example.com' },
  ]) {
    const [planned, real] = [
      await shorten({ links: [link], dry_run: true }),
      await shorten({ links: [link] }),
    ]
    expect(planned.status).toBe(422)
    expect(statusAndBody(planned)).toEqual(statusAndBody(real))
  }
  expect(statusAndBody(await shorten({ links: [{ original_url: DESTINATION }], dry_run: 'yes' }))).toEqual({
    status: 422,
    body: invalid({ dry_run: ['The dry run field must be true or false.'] }),
  })
})
