import { expect, test } from 'bun:test'
import { useCaller } from '../rigs/service-rig.ts'
import { invalid, makeLink, statusAndBody, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)

const list = (query: string) => rig.call('GET', `/api/links?${query}`, { key: caller.key })
const found = async (query: string) => {
  const { body } = await list(query)
  return [body.data.map(({ title }: any) => title), body.meta.total]
}

test('a link is found by its external ID, exactly as it was given', async () => {
  const external_id = 'Order 7/ä&b'
  const id = encodeURIComponent(external_id)
  const { short_code: code } = await makeLink(rig, caller, { external_id, title: 'first' })
  await makeLink(rig, caller, { external_id, title: 'second' })
  await makeLink(rig, caller, { external_id, title: 'archived', archived: true })
  await makeLink(rig, await rig.makeCaller(), { external_id, title: 'of a stranger' })
  await makeLink(rig, caller, { external_id: external_id.toLowerCase(), title: 'in lower case' })
  expect(await found(`external_id=${id}`)).toEqual([['second', 'first'], 2])
  expect(await found(`external_id=${id}&archived=only`)).toEqual([['archived'], 1])
  expect(await found(`external_id=${id}&archived=include&per_page=1&page=2`)).toEqual([['second'], 3])
  expect(await found('external_id=nothing')).toEqual([[], 0])
  await rig.call('PUT', `/api/links/${code}`, { key: caller.key, body: { external_id: null } })
  expect(await found(`external_id=${id}`)).toEqual([['second'], 1])
})

test('what cannot be an external ID, or stands beside a search, is refused', async () => {
  expect(statusAndBody(await list('external_id=%00'))).toEqual({
    status: 422,
    body: invalid({ external_id: ['The external id must be well-formed text.'] }),
  })
  expect(statusAndBody(await list('external_id=7&search=a'))).toEqual({
    status: 422,
    body: invalid({ external_id: ['The external id cannot be combined with a search.'] }),
  })
})
