import { describe, expect, test } from 'bun:test'
import { type ServiceRig, startServiceRig } from '../rigs/service/service-rig.ts'
import { lacksPostgres } from '../rigs/store/postgres-server.ts'
import { testPostgres } from '../rigs/store/test-store.ts'
import { useRig } from '../rigs/use-rig.ts'
import { makeLink } from './contract-rig.ts'

describe.skipIf(lacksPostgres('shared statistics on two nodes'))('on two nodes of one store', () => {
  const nodes = useRig(startNodes)

  test('a page that one has shown is gone there as soon as the other has reset, ended or removed it', async () => {
    const { first, second } = nodes
    const caller = await first.makeCaller()
    const { short_code: code } = await makeLink(first, caller)
    const api = `/api/links/${code}/share`
    const change = (method: string, path: string, body?: object) =>
      second.call(method, path, { key: caller.key, ...(body && { body }) })
    const shownAt = async (url: string) => {
      const answers = [first, second].map((node) => node.call('GET', new URL(url).pathname))
      return (await Promise.all(answers)).map(({ status }) => status)
    }
    const made = await first.call('POST', api, { key: caller.key, body: {} })
    const { url } = made.body.data
    expect(await shownAt(url)).toEqual([200, 200])

    const reset = await change('POST', `${api}/reset`)
    expect(await shownAt(url)).toEqual([404, 404])
    const { url: newUrl } = reset.body.data
    expect(await shownAt(newUrl)).toEqual([200, 200])

    await change('PUT', api, { password: 'sesame' })
    expect(await shownAt(newUrl)).toEqual([403, 403])
    await change('PUT', api, { password: null })
    expect(await shownAt(newUrl)).toEqual([200, 200])

    await change('DELETE', `/api/links/${code}`)
    expect(await shownAt(newUrl)).toEqual([404, 404])
    await change('POST', `/api/links/${code}/restore`)
    expect(await shownAt(newUrl)).toEqual([200, 200])

    await change('DELETE', api)
    expect(await shownAt(newUrl)).toEqual([404, 404])
  })
})

async function startNodes(): Promise<{ first: ServiceRig; second: ServiceRig; stop(): Promise<void> }> {
  const DATABASE_URL = await (await testPostgres()).makeDatabase()
  const first = await startServiceRig({ DATABASE_URL })
  const second = await startServiceRig({ DATABASE_URL, BASE_URL: first.config.baseUrl })
  return {
    first,
    second,
    async stop() {
      await second.stop()
      await first.stop()
    },
  }
}
