import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { makeKey } from '../../src/api-keys/key-format.ts'
import { withoutColumns } from '../rigs/store/broken-table.ts'
import { openTestStore, testOnSqlite } from '../rigs/store/test-store.ts'
import { ipSpellings } from '../rigs/clicks/ip-spellings.ts'
import { type OperatedFolder, operateFolder } from '../rigs/program/operated-folder.ts'
import { rawRequest, sendRaw } from '../rigs/http/raw-http.ts'
import { type Ended, ServerProcess } from '../rigs/program/server-process.ts'
import { temporaryFolders } from '../rigs/temporary-folders.ts'

// T12, T24, T34 and the promise that no address is at rest, asked of a real process: all that it prints, all that it writes.

const PEERS = ['127.0.0.77', '127.0.0.177']
const FORWARDED = ['203.0.113.7', '2001:db8:c0ff:ee11:2233:4455:6677:8899']

const folders = temporaryFolders()
let folder: OperatedFolder
let ended: Ended
let log: Record<string, unknown>[]
/** Everything in the data folder: while it ran, and after it ended. */
let atRest: { name: string; bytes: Buffer }[]

beforeAll(runAndStop)

afterAll(folders.remove)

describe('the log', () => {
  test('is one JSON object per line, except for the sentences at start and exit', () => {
    const others = ended.output.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
    expect(others.every((line) => /^(Tern is listening on|Stopping:)/.test(line))).toBe(true)
    expect([ended.complaints, ended.exitCode]).toEqual(['', 0])
    expect(log.length).toBeGreaterThan(50)
    for (const line of log) {
      const { time, thread, message } = line
      expect([typeof time, typeof thread, typeof message]).toEqual(['string', 'string', 'string'])
      expect(['debug', 'info', 'warn', 'error']).toContain(line.level as string)
    }
  })

  test('has exactly one line for each request, whatever is in its path', () => {
    for (const path of paths) {
      const lines = log.filter((line) => String(line.path).includes(path))
      expect([path, lines.length]).toEqual([path, 1])
    }
    expect(log.filter(({ message }) => message === 'forged')).toEqual([])
  })

  test('has no control characters, even beyond ASCII, and no long lines', () => {
    expect(everything()).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]/)
    for (const line of everything().split('\n')) expect(line.length).toBeLessThan(20_000)
  })

  test('has no key or part of one, however it was sent', () => {
    const secret = folder.key.slice(5, 37)
    expect(everything()).not.toContain(secret)
    expect(everything()).not.toContain(secret.slice(0, 12))
    expect(everything()).toContain('[redacted]')
  })

  test('has no secret of a URL: of a shared page, to unsubscribe, to exclude a browser', () => {
    expect(everything()).not.toContain(SECRET.slice(0, 20))
    for (const path of SECRET_PATHS) expect(everything()).toContain(`${path}[redacted]`)
  })

  test('has no IP address of a visitor', () => {
    for (const ip of [...PEERS, ...FORWARDED]) expect(everything()).not.toContain(ip)
  })

  test('has an error with its cause and the ID that the client received', () => {
    const faults = log.filter(({ level }) => level === 'error')
    expect(faults.map(({ thread }) => thread).sort()).toEqual(['api', 'redirect'])
    for (const fault of faults) {
      expect(fault.request_id).toMatch(/^[0-9a-f-]{36}$/)
      expect(String(fault.error)).toMatch(/no such column|does not exist/)
    }
  })
})

describe('the data folder', () => {
  testOnSqlite('holds the store, its log and the journal', () => {
    const names = atRest.map(({ name }) => name)
    expect(names).toContain('tern.db')
    expect(names).toContain('tern.db-wal')
    expect(atRest.some(({ bytes }) => bytes.includes('curl/8.5.0'))).toBe(true)
  })

  test.each([...PEERS, ...FORWARDED])('has no trace of the IP address %s', (ip) => {
    const needles = ipSpellings(ip)
    const holders = atRest.filter(({ bytes }) => needles.some((needle) => bytes.includes(needle)))
    expect(holders.map(({ name }) => name)).toEqual([])
  })

  test('has no key', () => {
    const holders = atRest.filter(({ bytes }) => bytes.includes(folder.key.slice(5, 37)))
    expect(holders.map(({ name }) => name)).toEqual([])
  })
})

async function runAndStop(): Promise<void> {
  const dataDir = folders.make()
  folder = await operateFolder(dataDir, { LOG_LEVEL: 'debug', TRUSTED_PROXIES: 'loopback' })
  const server = await ServerProcess.start(folder.settings)
  await folder.makeLinks(['hello'])
  await visit()
  await useKeys()
  await forgeLines()
  await provokeFaults()
  const running = filesOf(dataDir)
  ended = await server.stop()
  atRest = [...running, ...filesOf(dataDir)]
  const lines = ended.output.split('\n').filter((line) => line.startsWith('{'))
  log = lines.map((line) => JSON.parse(line))
}

const SECRET_PATHS = ['/share/', '/unsubscribe/', '/own-traffic/']
const SECRET = 'l7nqKJYI0yO1mCWmpf2Dr2ZbLMOSMnN4HxK3-pVvG1k'
const FORGED = '{"time":"2026-01-01T00:00:00.000Z","level":"fatal","message":"forged"}'

/** Requests that were sent to the API, each with a path of its own. */
const paths: string[] = []

const send = (request: string, from?: string) =>
  sendRaw(`http://127.0.0.1:${folder.port}`, request, from === undefined ? {} : { from })

function filesOf(dataDir: string) {
  return readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => ({ name, bytes: readFileSync(join(parentPath, name)) }))
}

async function visit(): Promise<void> {
  for (const from of PEERS) {
    const secretPaths = SECRET_PATHS.map((path) => `${path}${SECRET}`)
    for (const path of ['/hello', '/nobody', '/api/info/hello', '/qr/hello', '/', ...secretPaths])
      await send(rawRequest('GET', path), from)
  }
  for (const ip of FORWARDED) {
    for (const path of ['/hello', '/nobody', '/api/info/hello', '/api/account']) {
      const headers = [
        `X-Forwarded-For: ${ip}`,
        `X-Real-IP: ${ip}`,
        `Forwarded: for="[${ip}]"`,
        'User-Agent: curl/8.5.0',
      ]
      await send(rawRequest('GET', path, { headers }), PEERS[0])
    }
  }
}

async function useKeys(): Promise<void> {
  const { key } = folder
  const encoded = key.replace('_', '%5F')
  for (const [i, path] of [
    'account',
    'links',
    'nothing',
    'account/usage',
    'analytics/overview',
    'links/nobody',
  ].entries()) {
    for (const way of [
      (target: string) => rawRequest('GET', target, { headers: [`X-API-Key: ${key}`] }),
      (target: string) => rawRequest('GET', target, { headers: [`Authorization: Bearer ${key}`] }),
      (target: string) => rawRequest('GET', `${target}?api_key=${key}`),
      (target: string) => rawRequest('GET', `${target}?a=b&api_key=${encoded}&c=d`),
      (target: string) =>
        rawRequest('POST', `${target}?api_key=${key}`, { headers: ['Content-Type: text/plain'], body: '{' }),
    ]) {
      await send(way(`/api/${path}`), PEERS[i % 2])
    }
  }
  // Where nobody should put a key, and somebody will.
  for (const place of [
    `/api/links/${key}`,
    `/api/links/x${key}`,
    `/api/links/${encoded}`,
    `/no/thing/_${key}/x`,
  ]) {
    await send(rawRequest('GET', place, { headers: [`X-API-Key: ${key}`] }))
  }
  await send(rawRequest('GET', `/api/links/TERN_${key.slice(5)}`, { headers: [`X-API-Key: ${makeKey()}`] }))
}

async function forgeLines(): Promise<void> {
  const texts = [
    `\n${FORGED}`,
    `\r\n${FORGED}\r\n`,
    '\u001b[31mred\u001b[0m',
    '\u009b31m',
    '\u2028',
    '\u0085',
    '"}\n',
    '\\u000a',
    'x'.repeat(9_000),
  ]
  for (const [i, text] of texts.entries()) {
    const path = `/api/links/forged-${i}-${encodeURIComponent(text)}`
    paths.push(`forged-${i}-`)
    await send(
      rawRequest('GET', path, {
        headers: [`X-API-Key: ${folder.key}`, `User-Agent: ${FORGED}`, `Referer: ${FORGED}`],
      }),
    )
    await send(
      rawRequest('GET', `/${encodeURIComponent(text).slice(0, 100)}`, { headers: ['Accept: text/html'] }),
    )
    await folder.api('POST', '/api/links', {
      original_url: 'https://example.com/',
      title: text,
      custom_code: text,
    })
  }
}

async function provokeFaults(): Promise<void> {
  await send('GET /hello HTTP/1.1\r\nHost: a b\r\n\r\n', PEERS[0])
  await leaveInTheMiddle()
  const store = await openTestStore(folder.settings.DATA_DIR)
  await withoutColumns(store.db, 'links', provokeFaultsOfLinks)
  await store.close()
}

async function provokeFaultsOfLinks(): Promise<void> {
  await send(
    rawRequest('GET', `/api/links/fault?api_key=${folder.key}`, {
      headers: [`X-Forwarded-For: ${FORWARDED[0]}`],
    }),
    PEERS[0],
  )
  await send(
    rawRequest('GET', `/fault-on-the-way?api_key=${folder.key}`, {
      headers: [`X-Forwarded-For: ${FORWARDED[1]}`],
    }),
    PEERS[1],
  )
}

/** No fault of ours, so the log says nothing of it. */
async function leaveInTheMiddle(): Promise<void> {
  for (const length of ['Content-Length: 1000', 'Transfer-Encoding: chunked']) {
    const socket = connect(folder.port, '127.0.0.1')
    socket.write(`POST /api/links HTTP/1.1\r\nHost: a\r\n${length}\r\n\r\n5\r\n`)
    await Bun.sleep(50)
    socket.destroy()
  }
}

const everything = () => ended.output + ended.complaints
