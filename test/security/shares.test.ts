import { describe, expect, test } from 'bun:test'
import { until } from '../rigs/eventually.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import { settingsWithDomain } from '../rigs/service/shared-domain.ts'
import { useRig, useSharedFolders } from '../rigs/use-rig.ts'
import { startContractRig } from '../specification/contract-rig.ts'

// T45: who has the URL of shared statistics sees what was chosen, and nobody else sees anything.

const folders = useSharedFolders()
const rig = useRig(async () => startContractRig(await settingsWithDomain(folders.make(), 'go.example')))
const caller = useCaller(rig)
const stranger = useCaller(rig)

const ALL_OF_LINK = ['clicks', 'countries', 'sources', 'devices', 'via', 'destination']

describe('shared statistics', () => {
  test.each(['link', 'tag', 'folder'])(
    'of a %s of another workspace cannot be read, made or changed',
    async (kind) => {
      const path = await pathOf(kind)
      const missing = kind === 'link' ? '/api/links/nobodys/share' : `/api/${kind}s/4000000/share`
      for (const isShared of [false, true]) {
        if (isShared) await send('POST', path, { body: {} })
        const before = await send('GET', path)
        for (const { method, end = '', ...body } of REQUESTS) {
          const [theirs, none] = await Promise.all(
            [path, missing].map((place) => send(method, place + end, { ...body, key: stranger.key })),
          )
          expect([theirs!.status, theirs!.text]).toEqual([404, none!.text])
        }
        const after = await send('GET', path)
        expect([after.status, after.text]).toEqual([before.status, before.text])
      }
    },
  )

  test.each([
    '"><img src=x onerror=alert(1)>',
    '</title><script>alert(1)</script>',
    "'><svg/onload=alert(1)>",
    '&lt;script&gt;',
  ])('show names, titles and destinations such as %j as text', async (text) => {
    await rig.store.db
      .updateTable('workspaces')
      .set({ name: text })
      .where('id', '=', caller.workspaceId)
      .execute()
    const link = {
      title: text,
      tags: [text],
      original_url: `https://example.com/#${encodeURIComponent(text)}`,
    }
    const { short_code: code } = (await send('POST', '/api/links', { body: link })).body.data
    const { data: tags } = (await send('GET', '/api/tags')).body
    const tag = tags.find(({ name }: { name: string }) => name === text)
    for (const [path, panels] of [
      [`/api/links/${code}/share`, ALL_OF_LINK],
      [`/api/tags/${tag.id}/share`, ['links']],
    ] as const) {
      const { url } = (await send('POST', path, { body: { panels } })).body.data
      const page = await rig.call('GET', new URL(url).pathname)
      expect(page.status).toBe(200)
      expect(page.text).toContain(`<bdi>${Bun.escapeHTML(text)}</bdi>`)
      expect(page.text).not.toMatch(/<(?:script|img|iframe|svg\/)|<[^>]*\s(?:on\w+|style)\s*=/i)
    }
  })

  test('are on the host of BASE_URL only', async () => {
    const { url } = (await send('POST', await pathOf('link'), { body: {} })).body.data
    const path = new URL(url).pathname
    expect((await rig.call('GET', path)).status).toBe(200)
    const { status, text } = await rig.call('GET', path, { headers: { Host: 'go.example' } })
    expect([status, text.includes('No such link')]).toEqual([404, true])
  })

  test('keep the title of a link to themselves where its destination is for visitors only', async () => {
    const secrets = { password: 'sesame', max_clicks: 5, starts_at: '2199-01-01T00:00:00Z' }
    for (const [name, value] of Object.entries(secrets)) {
      const link = { original_url: 'https://example.com/', title: 'Secret offer', [name]: value }
      const { short_code: code } = (await send('POST', '/api/links', { body: link })).body.data
      const path = `/api/links/${code}/share`
      const { url } = (await send('POST', path, { body: {} })).body.data
      const hasTitle = async () =>
        (await rig.call('GET', new URL(url).pathname)).text.includes('Secret offer')
      expect([name, await hasTitle()]).toEqual([name, false])
      await send('PUT', path, { body: { panels: ['destination'] } })
      expect([name, await hasTitle()]).toEqual([name, true])
    }
  })

  test('say nothing of a destination that the operator has blocked', async () => {
    const original_url = 'https://blocked.example/path'
    const { short_code: code } = (await send('POST', '/api/links', { body: { original_url } })).body.data
    const path = `/api/links/${code}/share`
    const { url } = (await send('POST', path, { body: { panels: ['destination'] } })).body.data
    const shown = async () => (await rig.call('GET', new URL(url).pathname)).text.includes(original_url)
    expect(await shown()).toBe(true)
    const block = { host: 'blocked.example', reason: '', created_at: 1 }
    await rig.store.db.insertInto('blocked_hosts').values(block).execute()
    await until(async () => !(await shown()))
    expect((await rig.call('GET', new URL(url).pathname)).status).toBe(200)
  })
})

const REQUESTS: { method: string; end?: string; body?: object }[] = [
  { method: 'GET' },
  { method: 'POST', body: { panels: [] } },
  { method: 'PUT', body: { panels: [] } },
  { method: 'POST', end: '/reset' },
  { method: 'DELETE' },
]

let things = 0

async function pathOf(kind: string): Promise<string> {
  if (kind !== 'link') {
    const { data } = (await send('POST', `/api/${kind}s`, { body: { name: `${kind} ${things++}` } })).body
    return `/api/${kind}s/${data.id}/share`
  }
  const body = { original_url: 'https://example.com/' }
  return `/api/links/${(await send('POST', '/api/links', { body })).body.data.short_code}/share`
}

const send = (
  method: string,
  path: string,
  { key = caller.key, body }: { key?: string; body?: object } = {},
) => rig.call(method, path, { key, ...(body && { body }) })
