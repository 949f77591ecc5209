import { describe, expect, test } from 'bun:test'
import { PLAIN_LINK } from '../rigs/redirect/plain-link.ts'
import { CODE_ALPHABET } from '../../src/codes/random-code.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import { DESTINATION, invalid, makeLink, statusAndBody, TIMESTAMP, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)

const create = (body: unknown) => rig.call('POST', '/api/links', { key: caller.key, body })

describe('a new link', () => {
  test('has every field of the specification', async () => {
    const { status, body } = await create({
      original_url: DESTINATION,
      title: 'Launch page',
      custom_code: 'launch-1',
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      success: true,
      message: 'Link created.',
      data: {
        id: expect.any(Number),
        svc_id: expect.stringMatching(
          /^svc_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        ),
        short_code: 'launch-1',
        domain: new URL(rig.config.baseUrl).host,
        short_url: `${rig.config.baseUrl}/launch-1`,
        original_url: DESTINATION,
        title: 'Launch page',
        click_count: 0,
        qr_code_url: `${rig.config.baseUrl}/qr/launch-1`,
        is_active: true,
        created_at: expect.stringMatching(TIMESTAMP),
        ...PLAIN_LINK,
      },
    })
  })

  test('needs only its destination: it is active, without a title, with an assigned code', async () => {
    const link = await makeLink(rig, caller)
    expect(link).toMatchObject({ title: '', is_active: true })
    expect(link.short_code).toMatch(new RegExp(`^[${CODE_ALPHABET}]{7}$`))
    expect(link.short_code).not.toMatch(/[0O1Il]/)
    expect(link.short_url).toBe(`${rig.config.baseUrl}/${link.short_code}`)
  })

  test('may be made inactive', async () => {
    const link = await makeLink(rig, caller, { is_active: false })
    expect(link.is_active).toBe(false)
    expect((await rig.call('GET', `/${link.short_code}`)).status).toBe(404)
  })

  test('is created even if its destination already has a link', async () => {
    const [first, second] = [await makeLink(rig, caller), await makeLink(rig, caller)]
    expect(second.id).not.toBe(first.id)
    expect(second.short_code).not.toBe(first.short_code)
    expect(second.svc_id).not.toBe(first.svc_id)
  })

  test('shows its svc_id on creation only', async () => {
    const { svc_id: _, ...shown } = await makeLink(rig, caller)
    const read = await rig.call('GET', `/api/links/${shown.short_code}`, { key: caller.key })
    const listed = await rig.call('GET', '/api/links?per_page=1', { key: caller.key })
    expect(read.body.data).toEqual(shown)
    expect(listed.body.data).toEqual([shown])
  })

  test('accepts null for an absent title, code and state', async () => {
    const link = await makeLink(rig, caller, { title: null, custom_code: null, is_active: null })
    expect(link).toMatchObject({ title: '', is_active: true, short_code: expect.stringMatching(/^\w{7}$/) })
  })
})

describe('the destination', () => {
  test('may be sent as url, alone or beside an equal original_url', async () => {
    for (const body of [{ url: DESTINATION }, { url: DESTINATION, original_url: DESTINATION }]) {
      const { status, body: answer } = await create(body)
      expect([status, answer.data.original_url]).toEqual([201, DESTINATION])
    }
  })

  test('counts as absent when it is null, so that url is taken', async () => {
    const link = await makeLink(rig, caller, { original_url: null, url: DESTINATION })
    expect(link.original_url).toBe(DESTINATION)
  })

  test.each([
    ['absent', {}],
    ['empty', { original_url: '' }],
    ['null', { original_url: null }],
  ])('is required under both names: %s', async (_, body) => {
    expect(statusAndBody(await create(body))).toEqual({
      status: 422,
      body: invalid({
        original_url: ['The original url field is required.'],
        url: ['The url field is required.'],
      }),
    })
  })

  test('is refused under the name that the client used', async () => {
    const url = ['The url must start with https:// or another scheme. Did you mean https://example.com?']
    expect(statusAndBody(await create({ url: 'example.com' }))).toEqual({
      status: 422,
      body: invalid({ url }),
    })
  })

  test('may have 8,192 characters', async () => {
    const original_url = 'https://example.com/'.padEnd(8192, 'a')
    expect((await makeLink(rig, caller, { original_url })).original_url).toBe(original_url)
  })
})

describe('a title', () => {
  test('may have 255 characters of any script, an emoji counting as one', async () => {
    for (const title of [
      '🐦'.repeat(255),
      'Übersicht – 概要 ‏نظرة عامة',
      ' spaced ',
      '<b>"quoted" & \\</b>',
    ]) {
      expect((await makeLink(rig, caller, { title })).title).toBe(title)
    }
  })
})
