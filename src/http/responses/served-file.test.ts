import { describe, expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { packFile, serveFile } from './served-file.ts'

const TEXT = '<p>tern</p>'.repeat(200)
const html = { contentType: 'text/html; charset=utf-8', cacheControl: 'no-cache' }
const ask = async (headers: Record<string, string>, body = TEXT) => {
  const file = await packFile({ ...html, body })
  return new Hono().get('/', (context) => serveFile(context, file)).request('/', { headers })
}

describe('a file', () => {
  test('is packed in every form, once, unless it is short or a picture', async () => {
    const { bodies } = await packFile({ ...html, body: TEXT })
    expect(brotliDecompressSync(await bodies.br!.bytes()).toString()).toBe(TEXT)
    expect(gunzipSync(await bodies.gzip!.bytes()).toString()).toBe(TEXT)
    expect(Object.keys((await packFile({ ...html, body: 'short' })).bodies)).toEqual(['identity'])
    const picture = { body: new Uint8Array(5_000), contentType: 'image/x-icon', cacheControl: '' }
    expect(Object.keys((await packFile(picture)).bodies)).toEqual(['identity'])
  })

  test('comes in the form that is liked best, with a tag of that form', async () => {
    const tags = await Promise.all(
      ['br, gzip', 'gzip', ''].map(async (accepted, i) => {
        const { status, headers } = await ask({ 'Accept-Encoding': accepted })
        const named = ['content-encoding', 'vary', 'cache-control', 'content-type'].map((name) =>
          headers.get(name),
        )
        expect([status, ...named]).toEqual([
          200,
          ['br', 'gzip', null][i]!,
          'Accept-Encoding',
          'no-cache',
          html.contentType,
        ])
        return headers.get('etag')!
      }),
    )
    expect(new Set(tags).size).toBe(3)
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]{16}-(?:br|gzip|identity)"$/)
  })

  test('is not sent again to who has it, in a list, or marked as weak by a proxy', async () => {
    const tag = (await ask({ 'Accept-Encoding': 'br' })).headers.get('etag')!
    for (const known of [tag, `"other", ${tag}`, `W/${tag}`]) {
      const answer = await ask({ 'Accept-Encoding': 'br', 'If-None-Match': known })
      expect([answer.status, await answer.text()]).toEqual([304, ''])
      expect([answer.headers.get('etag'), answer.headers.get('vary')]).toEqual([tag, 'Accept-Encoding'])
    }
    for (const known of ['', '*', '"other"', tag.slice(1, -1), tag.replace('-br', '-gzip')])
      expect((await ask({ 'Accept-Encoding': 'br', 'If-None-Match': known })).status).toBe(200)
  })

  test('has another tag when it says something else', async () => {
    const [one, other] = [await ask({}), await ask({}, `${TEXT}!`)]
    expect(one.headers.get('etag')).not.toBe(other.headers.get('etag'))
  })
})
