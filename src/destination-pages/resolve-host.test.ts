import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startDnsServer } from '../../test/rigs/outside/dns-server.ts'
import { dnsResolver, systemResolver } from './resolve-host.ts'

let dns: Awaited<ReturnType<typeof startDnsServer>>
const signal = new AbortController().signal

const IPV4 = Uint8Array.of(192, 0, 2, 7)
const IPV6 = Uint8Array.of(0x20, 1, 0xd, 0xb8, ...Array<number>(11).fill(0), 1)

beforeAll(startServer)
afterAll(() => dns.stop())

test('a name has the addresses of both kinds', async () => {
  const resolve = dnsResolver([dns.address])
  expect((await resolve('both.example', signal)).toSorted()).toEqual(['192.0.2.7', '2001:db8::1'])
  expect(await resolve('old.example', signal)).toEqual(['192.0.2.7'])
  expect(await resolve('nowhere.example', signal)).toEqual([])
})

test('nothing is taken from the files of this machine', async () => {
  asked.length = 0
  expect(await dnsResolver([dns.address])('localhost', signal)).toEqual([])
  expect(new Set(asked)).toEqual(new Set(['localhost']))
})

test('for commands, names are those of this machine', async () => {
  expect(await systemResolver('localhost', signal)).toContain('127.0.0.1')
  expect(await systemResolver('nowhere.invalid', signal)).toEqual([])
  await expect(systemResolver('localhost', AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
})

test('a question that is not answered ends with the signal', async () => {
  const ended = new AbortController()
  const question = dnsResolver([dns.address])('silent.example', ended.signal)
  ended.abort(new Error('enough'))
  await expect(question).rejects.toThrow('enough')
  await expect(dnsResolver([dns.address])('both.example', ended.signal)).rejects.toThrow('enough')
})

async function startServer(): Promise<void> {
  dns = await startDnsServer((name, type) => {
    asked.push(name)
    if (name === 'silent.example') return undefined
    if (name === 'both.example') return type === 'A' ? [IPV4] : [IPV6]
    return name === 'old.example' && type === 'A' ? [IPV4] : []
  })
}

const asked: string[] = []
