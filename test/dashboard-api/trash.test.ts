import { expect, test } from 'bun:test'
import { useDashboardRig, useUser } from '../rigs/service/dashboard-rig.ts'
import { renameInTrash } from '../rigs/store/renamed-in-trash.ts'
import { invalid, LINK_NOT_FOUND } from '../specification/contract-rig.ts'

const rig = useDashboardRig()
const user = useUser(rig)
const stranger = useUser(rig)

test('of two deleted links with one code, each can be restored and deleted for good', async () => {
  const { id: older } = await make('older', 'once')
  await remove('once')
  const { id: newer } = await make('newer', 'twice')
  await renameInTrash(rig.store.db, 'once', 'twice')
  const inUse = await request('POST', `/trash/links/${older}/restore`)
  expect([inUse.status, inUse.body]).toEqual([
    422,
    {
      ...invalid({ short_code: ['The short code opens another link now.'] }),
      error_codes: { short_code: ['code_taken'] },
    },
  ])
  await remove()
  for (const [method, path] of [
    ['POST', `/trash/links/${older}/restore`],
    ['DELETE', `/trash/links/${older}`],
  ] as const)
    expect((await stranger.browser.request(method, path)).status).toBe(404)
  expect((await request('POST', `/trash/links/${older}/restore`)).status).toBe(200)
  expect(await target()).toBe('https://example.com/older')
  await remove()
  expect((await request('DELETE', `/trash/links/${older}`)).status).toBe(200)
  const left = await user.browser.succeed('GET', '/trash')
  expect(left.map(({ id }: { id: number }) => id)).toEqual([newer])
  expect((await request('POST', `/trash/links/${newer}/restore`)).status).toBe(200)
  expect(await target()).toBe('https://example.com/newer')
  for (const id of [older, newer, 999_999])
    expect((await request('POST', `/trash/links/${id}/restore`)).body).toEqual(LINK_NOT_FOUND)
  expect((await request('DELETE', '/trash/links/abc')).status).toBe(404)
})

const request = (method: string, path: string) => user.browser.request(method, path)
const make = (name: string, custom_code: string) =>
  user.browser.succeed('POST', '/links', { original_url: `https://example.com/${name}`, custom_code })
const remove = (code = 'twice') => user.browser.succeed('DELETE', `/links/${code}`)
const target = async () => (await rig.call('GET', '/twice')).headers.get('location')
