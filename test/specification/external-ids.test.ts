import { describe, expect, test } from 'bun:test'
import { useCaller } from '../rigs/service/service-rig.ts'
import { DESTINATION, invalid, makeLink, statusAndBody, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)

const TAKEN = invalid({ external_id: ['The external id has already been taken.'] })

test('a link is found by its external ID, exactly as it was given', async () => {
  const external_id = 'Order 7/ä&b'
  const id = encodeURIComponent(external_id)
  const { short_code: code } = await makeLink(rig, caller, { external_id, title: 'own' })
  await makeLink(rig, await rig.makeCaller(), { external_id, title: 'of a stranger' })
  await makeLink(rig, caller, { external_id: external_id.toLowerCase(), title: 'in lower case' })
  expect(await found(`external_id=${id}`)).toEqual([['own'], 1])
  expect(await found(`external_id=${id}&archived=only`)).toEqual([[], 0])
  await ask('PUT', `/api/links/${code}`, { archived: true })
  expect(await found(`external_id=${id}`)).toEqual([[], 0])
  expect(await found(`external_id=${id}&archived=include`)).toEqual([['own'], 1])
  expect(await found('external_id=nothing')).toEqual([[], 0])
  await ask('PUT', `/api/links/${code}`, { external_id: null })
  expect(await found(`external_id=${id}&archived=include`)).toEqual([[], 0])
})

describe('no two links of a workspace have the same external ID', () => {
  test('in creations and edits, until it is free again', async () => {
    const { short_code: code } = await makeLink(rig, caller, { external_id: 'one' })
    const { short_code: other } = await makeLink(rig, caller, { external_id: 'two', title: 'Two' })
    expect(statusAndBody(await create({ external_id: 'one' }))).toEqual({ status: 422, body: TAKEN })
    const edit = (fields: object) => ask('PUT', `/api/links/${other}`, fields)
    expect(statusAndBody(await edit({ external_id: 'one', title: 'Three' }))).toEqual({
      status: 422,
      body: TAKEN,
    })
    expect(await found('external_id=two')).toEqual([['Two'], 1])
    expect((await edit({ external_id: 'two' })).status).toBe(200)
    await ask('PUT', `/api/links/${code}`, { external_id: '' })
    expect((await edit({ external_id: 'one' })).status).toBe(200)
    expect((await create({ external_id: 'two' })).status).toBe(201)
    for (let n = 0; n < 2; n++) expect((await create({ external_id: '' })).status).toBe(201)
  })

  test('in one request, of which nothing is stored then', async () => {
    await makeLink(rig, caller, { external_id: 'stored' })
    const links = ['new', null, 'new', 'stored', '', '', 'new', undefined].map((external_id) => ({
      original_url: DESTINATION,
      external_id,
    }))
    const twice = ['The external id is used twice in this request.']
    expect(statusAndBody(await ask('POST', '/api/bulk-shorten', { links }))).toEqual({
      status: 422,
      body: invalid({ 'links.2.external_id': twice, 'links.6.external_id': twice }),
    })
    const distinct = links.filter((_, index) => index !== 2 && index !== 6)
    expect(statusAndBody(await ask('POST', '/api/bulk-shorten', { links: distinct }))).toEqual({
      status: 422,
      body: invalid({ 'links.2.external_id': ['The external id has already been taken.'] }),
    })
    expect(await found('external_id=new')).toEqual([[], 0])
    const others = distinct.filter((_, index) => index !== 2)
    expect((await ask('POST', '/api/bulk-shorten', { links: others })).status).toBe(201)
  })

  test('in requests at the same time: one gets it', async () => {
    const { short_code: code } = await makeLink(rig, caller)
    for (let round = 0; round < 5; round++) {
      const external_id = `at once ${round}`
      const answers = await Promise.all([
        ...Array.from({ length: 5 }, () => create({ external_id })),
        ask('PUT', `/api/links/${code}`, { external_id }),
      ])
      const given = answers.filter(({ status }) => status < 300)
      expect(given).toHaveLength(1)
      for (const answer of answers)
        if (!given.includes(answer)) expect(statusAndBody(answer)).toEqual({ status: 422, body: TAKEN })
      expect((await found(`external_id=${external_id}`))[1]).toBe(1)
    }
  })

  test('when a link leaves the trash, where it has none', async () => {
    const external_id = 'trashed'
    const { short_code: code } = await makeLink(rig, caller, { external_id, title: 'old' })
    await ask('DELETE', `/api/links/${code}`)
    const { short_code: newer } = await makeLink(rig, caller, { external_id, title: 'new' })
    expect(statusAndBody(await ask('POST', `/api/links/${code}/restore`))).toEqual({
      status: 422,
      body: TAKEN,
    })
    expect((await ask('GET', `/api/links/${code}`)).status).toBe(404)
    expect(await found(`external_id=${external_id}`)).toEqual([['new'], 1])
    await ask('DELETE', `/api/links/${newer}`)
    expect((await ask('POST', `/api/links/${code}/restore`)).status).toBe(200)
    expect(await found(`external_id=${external_id}`)).toEqual([['old'], 1])
    expect((await ask('POST', `/api/links/${newer}/restore`)).status).toBe(422)
  })
})

test('a search narrows it further', async () => {
  await makeLink(rig, caller, { external_id: 'searched', title: 'Zebra' })
  expect(await found('external_id=searched&search=zebra')).toEqual([['Zebra'], 1])
  expect(await found('external_id=searched&search=okapi')).toEqual([[], 0])
})

test('what cannot be an external ID is refused', async () => {
  expect(statusAndBody(await list('external_id=%00'))).toEqual({
    status: 422,
    body: invalid({ external_id: ['The external id must be well-formed text.'] }),
  })
})

const list = (query: string) => rig.call('GET', `/api/links?${query}`, { key: caller.key })
const found = async (query: string) => {
  const { body } = await list(query)
  return [body.data.map(({ title }: any) => title), body.meta.total]
}
const ask = (method: string, path: string, body?: unknown) =>
  rig.call(method, path, { key: caller.key, body })
const create = (fields: object) => ask('POST', '/api/links', { original_url: DESTINATION, ...fields })
