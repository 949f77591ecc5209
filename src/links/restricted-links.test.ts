import { expect, test } from 'bun:test'
import { newLinkTo } from '../../test/rigs/new-link-to.ts'
import { ownerOf } from '../../test/rigs/owner-of.ts'
import type { KeyRestrictions } from '../access/key-restrictions.ts'
import { asRestricted } from './restricted-links.ts'

const fieldName = (index: number, field: string) => `links.${index}.${field}`

function created(restrictions: KeyRestrictions, ...links: ReturnType<typeof newLinkTo>[]) {
  try {
    return asRestricted({ ...ownerOf(1), keyId: 3, restrictions }, { links, fieldName })
  } catch (error) {
    return (error as { fields: unknown }).fields
  }
}

test('without limits on links, they stay as they are', () => {
  const link = newLinkTo('https://example.com/', { custom_code: 'any', aliases: ['other'] })
  expect(created({ origins: ['https://shop.example'] }, link)).toEqual([link])
})

test('codes begin with the prefix, chosen or not', () => {
  const [chosen, random] = created(
    { code_prefix: 'shop-' },
    newLinkTo('https://example.com/', { custom_code: 'shop-1' }),
    newLinkTo('https://example.com/'),
  ) as { custom_code: string }[]
  expect(chosen!.custom_code).toBe('shop-1')
  expect(random!.custom_code).toMatch(/^shop-[A-Za-z0-9]{7}$/)
  expect(
    created({ code_prefix: 'shop-' }, newLinkTo('https://example.com/', { custom_code: 'Shop-1' })),
  ).toEqual({
    'links.0.custom_code': ['This API key creates codes that begin with shop- only.'],
  })
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
    expect(to(url)).toEqual({ 'links.0.original_url': ['This API key creates links to shop.example only.'] })
})

test('links are on the domain', () => {
  const on = (domain?: string) =>
    created({ domain: 'go.example' }, newLinkTo('https://example.com/', { domain }))
  expect(on()).toMatchObject([{ domain: 'go.example' }])
  expect(on('GO.example')).toMatchObject([{ domain: 'go.example' }])
  expect(on('go.example:8443')).toMatchObject([{ domain: 'go.example' }])
  expect(on('buy.example')).toEqual({ 'links.0.domain': ['This API key creates links on go.example only.'] })
})

test('nothing that could lead elsewhere or is for the members only, and no link that was there before', () => {
  const fields = {
    ...{ rules: [], fallback_url: 'https://evil.example/', aliases: ['other'], reuse_existing: true },
    ...{ social_title: 'x', external_id: '1', tags: ['Fake'], folder: 'Fake', notes: 'Call me' },
  }
  const refused = created({ links_per_day: 5 }, newLinkTo('https://example.com/', fields as never))
  expect(Object.keys(refused as object).sort()).toEqual(
    [
      ...['aliases', 'external_id', 'fallback_url', 'folder', 'notes', 'reuse_existing', 'rules'],
      ...['social_title', 'tags'],
    ].map((field) => `links.0.${field}`),
  )
})
