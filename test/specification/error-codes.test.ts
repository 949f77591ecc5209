import { expect, test } from 'bun:test'
import { useCaller } from '../rigs/service/service-rig.ts'
import { DESTINATION, makeLink, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)

test('codes and external ids that cannot be used have codes, also in bulk and as aliases', async () => {
  await makeLink(rig, caller, { custom_code: 'coded-one', external_id: 'coded' })
  expect(await create({ custom_code: 'coded-one' })).toEqual({ custom_code: ['code_taken'] })
  expect(await create({ aliases: ['coded-one'] })).toEqual({ 'aliases.0': ['code_taken'] })
  await makeLink(rig, caller, { custom_code: 'coded-gone' })
  await rig.call('DELETE', '/api/links/coded-gone', { key: caller.key })
  expect(await create({ custom_code: 'coded-gone' })).toEqual({ custom_code: ['code_in_trash'] })
  expect(await create({ custom_code: 'login' })).toEqual({ custom_code: ['code_reserved'] })
  expect(await create({ external_id: 'coded' })).toEqual({ external_id: ['external_id_taken'] })
  const links = [
    { url: DESTINATION, custom_code: 'twice' },
    { url: 'nothing', custom_code: 'twice' },
  ]
  expect(await refusedCodes('/api/bulk-shorten', { links })).toEqual({
    'links.1.url': ['url_invalid'],
    'links.1.custom_code': ['repeated'],
  })
})

test('codes that cannot be codes have codes, each for what is wrong with it', async () => {
  expect(await create({ custom_code: 'ab' })).toEqual({ custom_code: ['code_length'] })
  expect(await create({ custom_code: 'a b' })).toEqual({ custom_code: ['code_characters'] })
  expect(await create({ aliases: ['é'] })).toEqual({ 'aliases.0': ['code_length', 'code_characters'] })
})

test('where no field has a code, there is no list of codes', async () => {
  expect(await create({ title: 5 })).toBeUndefined()
})

const refusedCodes = async (path: string, body: unknown, method = 'POST') => {
  const answer = await rig.call(method, path, { key: caller.key, body })
  expect(answer.status).toBe(422)
  return answer.body.error_codes
}

const create = (fields: object) => refusedCodes('/api/links', { original_url: DESTINATION, ...fields })
