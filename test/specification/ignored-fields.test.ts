import { describe, expect, test } from 'bun:test'
import { useCaller } from '../rigs/service/service-rig.ts'
import { DESTINATION, makeLink, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)
const send = async (method: string, path: string, body: object) => {
  const { status, body: answer } = await rig.call(method, path, { key: caller.key, body })
  return [status, answer.message]
}

describe('the message of a request that succeeds', () => {
  test('names the fields of a new link that do not exist', async () => {
    const link = { original_url: DESTINATION, customurl: 'launch', expiresAt: null }
    expect(await send('POST', '/api/links', link)).toEqual([
      201,
      'Link created. Unknown fields were ignored: customurl, expiresAt.',
    ])
    expect(await send('POST', '/api/links', { original_url: DESTINATION, dry_run: true })).toEqual([
      201,
      'Link created. Unknown fields were ignored: dry_run.',
    ])
  })

  test('names those of an edit, and those of any link of a bulk request once', async () => {
    const { short_code } = await makeLink(rig, caller)
    expect(await send('PUT', `/api/links/${short_code}`, { title: 'A', reuse_existing: true })).toEqual([
      200,
      'Link updated. Unknown fields were ignored: reuse_existing.',
    ])
    const links = [
      { original_url: DESTINATION, key: 'a' },
      { original_url: DESTINATION, key: 'b', domian: 'go.example.com' },
    ]
    expect(await send('POST', '/api/bulk-shorten', { links, dryrun: true })).toEqual([
      201,
      '2 links created. Unknown fields were ignored: dryrun, key, domian.',
    ])
    expect(await send('POST', '/api/bulk-shorten', { links: [links[0]], dry_run: true })).toEqual([
      200,
      '1 link would be created; nothing was stored. Unknown fields were ignored: key.',
    ])
  })

  test('names those of every other body', async () => {
    const [, message] = await send('POST', '/api/tags', { name: 'New', colour: 1 })
    expect(message).toEndWith(' Unknown fields were ignored: colour.')
  })

  test('names the parameters of a query that do not exist', async () => {
    const get = async (path: string) => (await rig.call('GET', path, { key: caller.key })).body.message
    expect(await get('/api/analytics/clicks?contry=DE&country=DE&period=7d')).toEndWith(
      '. Unknown parameters were ignored: contry.',
    )
    const { short_code, short_url } = await makeLink(rig, caller)
    const domain = new URL(short_url).host
    const known = await get(`/api/links/${short_code}?domain=${domain}&api_key=${caller.key}`)
    expect(known).not.toInclude('ignored')
    expect(await get(`/api/links/${short_code}?domian=${domain}`)).toBe(
      `${known} Unknown parameters were ignored: domian.`,
    )
  })

  test('names fields first, where there are both', async () => {
    const [, message] = await send('POST', '/api/tags?x=1&y=', { name: 'Both', colour: 1 })
    expect(message).toEndWith(' Unknown fields were ignored: colour. Unknown parameters were ignored: x, y.')
  })

  test('stays as it is for every known field, and for a copy of a response', async () => {
    const created = await makeLink(rig, caller, { title: 'Copied' })
    const { short_code, ...copy } = created
    const path = `/api/links/${short_code}`
    expect(await send('PUT', path, { ...created, custom_code: short_code })).toEqual([200, 'Link updated.'])
    const url = { ...copy, url: DESTINATION, custom_code: null, aliases: [] }
    expect(await send('POST', '/api/links', url)).toEqual([201, 'Link created.'])
  })

  test('is short whatever was sent', async () => {
    const names = ['x'.repeat(5_000), 'a\u0007b', '\ud800', '__proto__', ...Array(500).keys()].map(String)
    const body = `{"original_url":"${DESTINATION}",${names.map((name) => `${JSON.stringify(name)}:1`).join()}}`
    const { status, body: answer } = await rig.call('POST', '/api/links', { key: caller.key, body })
    expect(status).toBe(201)
    expect(answer.message).toBe('Link created. Unknown fields were ignored: 0, 1, 2, 3, 4 and 499 more.')
    const long = `{"original_url":"${DESTINATION}","${'x'.repeat(5_000)}":1,"a\\u0007b":1}`
    const second = await rig.call('POST', '/api/links', { key: caller.key, body: long })
    expect(second.body.message).toBe(`Link created. Unknown fields were ignored: ${'x'.repeat(40)}…, a b.`)
  })

  test('is the same when the request is repeated', async () => {
    const options = {
      key: caller.key,
      body: { original_url: DESTINATION, customurl: 'launch' },
      headers: { 'Idempotency-Key': 'ignored-fields' },
    }
    const first = await rig.call('POST', '/api/links', options)
    const second = await rig.call('POST', '/api/links', options)
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(first.body.message).toBe('Link created. Unknown fields were ignored: customurl.')
  })
})
