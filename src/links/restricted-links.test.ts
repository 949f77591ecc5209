import { describe, expect, test } from 'bun:test'
import { newLinkTo } from '../../test/rigs/redirect/new-link-to.ts'
import { ownerOf } from '../../test/rigs/store/owner-of.ts'
import type { KeyRestrictions } from '../access/key-restrictions.ts'
import type { InvalidItems } from '../errors/refusal.ts'
import { Blocks } from './destinations/blocks.ts'
import { linkSchemas } from './link-fields.ts'
import { asRestricted } from './place-links.ts'
import { refuseFieldsOfRestricted } from './restricted-links.ts'

function created(restrictions: KeyRestrictions, ...links: ReturnType<typeof newLinkTo>[]) {
  try {
    return asRestricted({ ...ownerOf(1), keyId: 3, restrictions }, links)
  } catch (error) {
    return (error as InvalidItems).faults
  }
}

test('without limits on links, they stay as they are', () => {
  const link = newLinkTo('https://example.com/', { custom_code: 'any', aliases: ['other'] })
  expect(created({ origins: ['https://shop.example'] }, link)).toEqual([link])
})

test('chosen codes begin with the prefix', () => {
  const chosen = newLinkTo('https://example.com/', { custom_code: 'shop-1' })
  expect(created({ code_prefix: 'shop-' }, chosen)).toMatchObject([{ custom_code: 'shop-1' }])
  expect(
    created({ code_prefix: 'shop-' }, newLinkTo('https://example.com/', { custom_code: 'Shop-1' })),
  ).toEqual([
    {
      index: 0,
      field: 'custom_code',
      sentences: ['This API key creates codes that begin with shop- only.'],
    },
  ])
})

test('destinations are on the hosts and their subdomains', () => {
  const to = (url: string) => created({ destination_hosts: ['shop.example'] }, newLinkTo(url))
  for (const url of ['https://shop.example/a', 'https://www.SHOP.example:8443/', 'http://a.b.shop.example/'])
    expect(to(url)).toBeArrayOfSize(1)
  for (const url of [
    'https://shop.example.evil.example/',
    'https://notshop.example/',
    'https://example.com/?shop.example',
  ])
    expect(to(url)).toEqual([
      { index: 0, field: 'original_url', sentences: ['This API key creates links to shop.example only.'] },
    ])
})

test('links are on the domain', () => {
  const on = (domain?: string) =>
    created({ domain: 'go.example' }, newLinkTo('https://example.com/', { domain }))
  expect(on()).toMatchObject([{ domain: 'go.example' }])
  expect(on('GO.example')).toMatchObject([{ domain: 'go.example' }])
  expect(on('go.example:8443')).toMatchObject([{ domain: 'go.example' }])
  expect(on('buy.example')).toEqual([
    { index: 0, field: 'domain', sentences: ['This API key creates links on go.example only.'] },
  ])
})

const { newLink } = linkSchemas({
  ownHosts: new Set(['tern.example']),
  allowPrivate: false,
  blocks: new Blocks(),
})
const FIELDS = ['url', ...Object.keys(newLink.shape)]
const ALLOWED = ['url', 'original_url', 'title', 'custom_code', 'domain', 'utm', 'expires_at']

describe.each(FIELDS)('the field %s', (field) => {
  const sentBy = (restrictions: KeyRestrictions | undefined, value: unknown) => {
    const sent = [{}, { [field]: value }]
    try {
      refuseFieldsOfRestricted({ ...ownerOf(1), keyId: 3, restrictions }, sent)
    } catch (error) {
      return (error as InvalidItems).faults
    }
  }

  test('is refused unless it is allowed expressly, whatever its value', () => {
    const refused = [{ index: 1, field, sentences: ['This API key may not set this field.'] }]
    for (const value of ['x', '', 0, false, [], {}])
      expect(sentBy({ links_per_day: 5 }, value)).toEqual(ALLOWED.includes(field) ? undefined : refused)
  })

  test('is not set by null, and is free for other keys', () => {
    expect(sentBy({ links_per_day: 5 }, null)).toBeUndefined()
    for (const restrictions of [undefined, { origins: ['https://shop.example'] }])
      expect(sentBy(restrictions, 'x')).toBeUndefined()
  })
})
