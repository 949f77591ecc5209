import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { callApi } from '../../../test/rigs/http/api-channel-client.ts'
import { eventually, until } from '../../../test/rigs/eventually.ts'
import { useFolders } from '../../../test/rigs/use-rig.ts'
import { readConfig } from '../../config/config.ts'
import { NO_REDIRECT_STATE } from '../../links/routes/redirect-state.ts'
import { jsonLog } from '../../runtime/log.ts'
import { newSharedMetrics } from '../../metrics/metrics.ts'
import { newSharedWriteLock } from '../../store/sqlite/write-lock.ts'
import { ApiChannel, type ApiStart } from './api-channel.ts'
import type { ProxiedVisit } from './api-server.ts'

const folders = useFolders()

const SILENT = jsonLog('silent', 'redirect')
const DEAF = { onLinksChanged() {}, onState() {} }

test('each request gets its own answer, and what was sent before the end still gets one', async () => {
  const line = new ApiChannel(startOf(folders.make()), DEAF, SILENT)
  await line.ready
  let sent = 0
  const asked = ['/api/health', '/api/info/nothing', '/robots.txt'].map((target) =>
    callApi(line, { target, onSent: () => sent++ }),
  )
  await until(() => sent === asked.length)
  const stopped = line.closeServer().then(() => line.stop())
  const answers = await Promise.all(asked)
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 200])
  expect(answers.map((answer) => answer.headers.has('x-request-id'))).toEqual([true, true, true])
  await stopped
})

test('what is asked before the thread is up is answered when it is', async () => {
  const line = new ApiChannel(startOf(folders.make()), DEAF, SILENT)
  expect((await callApi(line, { target: '/api/health' })).status).toBe(200)
  await line.stop()
})

test('health says what the channel received about the journal', async () => {
  const line = new ApiChannel(startOf(folders.make()), DEAF, SILENT)
  await line.ready
  const isHealth = (expected: string) => eventually(health, (status) => status === expected)
  const health = async () => {
    const answer = await callApi(line, { target: '/api/health' })
    return ((await answer.json()) as { status: string }).status
  }
  expect(await isHealth('ok')).toBe('ok')
  line.sendState('degraded')
  expect(await isHealth('degraded')).toBe('degraded')
  line.sendState('ok')
  expect(await isHealth('ok')).toBe('ok')
  await line.stop()
})

test('a visit on a connection of the API server is answered by the redirect thread', async () => {
  const line = new ApiChannel(startOf(folders.make()), DEAF, SILENT)
  const visits: ProxiedVisit[] = []
  line.answerVisits(async (sent) => {
    visits.push(...sent)
    return { status: 302, location: 'https://example.com/', headers: { 'X-From': 'redirects' }, body: '' }
  })
  const headers = { 'User-Agent': 'a browser', Cookie: 'a=b' }
  const answer = await callApi(line, { target: '/hello?a=b', peer: '203.0.113.7', headers })
  expect([answer.status, answer.headers.get('location'), answer.headers.get('x-from')]).toEqual([
    302,
    'https://example.com/',
    'redirects',
  ])
  expect(visits).toMatchObject([
    {
      method: 'GET',
      code: 'hello',
      ip: '203.0.113.7',
      headers: { 'user-agent': 'a browser', cookie: 'a=b' },
    },
  ])
  await line.closeServer()
  await line.stop()
})

test('when the thread fails, requests that wait and those that come are given up', async () => {
  const file = join(folders.make(), 'file')
  writeFileSync(file, '')
  const line = new ApiChannel(startOf(file), DEAF, SILENT)
  const givenUp: string[] = []
  const giveUp = (sentence: string) => void givenUp.push(sentence)
  line.pending.add(0, giveUp)
  await expect(line.ready).rejects.toThrow('The API thread failed: ')
  expect((await line.failed).message).toContain('EEXIST')
  expect(line.pending.refuses(giveUp)).toBe(true)
  expect(givenUp).toEqual(['The server is restarting.', 'The server is restarting.'])
  await line.stop()
})

const startOf = (dataDir: string): Omit<ApiStart, 'peers'> => ({
  config: readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' }),
  writeLock: newSharedWriteLock(),
  metrics: newSharedMetrics(),
  leftFolders: [],
  reachableIps: [],
  state: NO_REDIRECT_STATE,
})
