import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { readConfig } from '../config.ts'
import { NOTHING_BLOCKED } from '../links/blocks.ts'
import { jsonLog } from '../log.ts'
import { newSharedMetrics } from '../metrics.ts'
import { newSharedTurns } from '../store/write-turn.ts'
import { ApiLine, type ApiStart } from './api-line.ts'
import { FAULT_MESSAGE } from './plain-answer.ts'

setDefaultTimeout(30_000)

const folders = temporaryFolders()
afterEach(folders.remove)

const startOf = (dataDir: string): ApiStart => ({
  config: readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' }),
  writeTurns: newSharedTurns(),
  metrics: newSharedMetrics(),
  leftFolders: [],
  blockList: NOTHING_BLOCKED,
})

const requestFor = (target: string) => ({
  method: 'GET',
  target,
  headers: [['accept', 'application/json']] as [string, string][],
  body: undefined,
  ip: '127.0.0.1',
  peer: '127.0.0.1',
})

async function down(response: Response) {
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(await response.json()).toEqual({
    success: false,
    message: 'The server is restarting. Try again in a few seconds.',
    errors: {},
  })
}

const SILENT = jsonLog('silent', 'visitors')
const DEAF = { onLinksChanged() {}, onBlocks() {} }

test('each request gets its own answer, and what was handed over before the end still gets one', async () => {
  const line = new ApiLine(startOf(folders.make()), DEAF, SILENT)
  await line.ready
  const asked = ['/api/health', '/api/info/nothing', '/robots.txt'].map((target) =>
    line.ask(requestFor(target)),
  )
  const stopped = line.stop()
  const answers = await Promise.all(asked)
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 200])
  expect(answers.map((answer) => answer.headers.has('x-request-id'))).toEqual([true, true, true])
  await stopped
})

test('what is asked before the thread is up is answered when it is', async () => {
  const line = new ApiLine(startOf(folders.make()), DEAF, SILENT)
  expect((await line.ask(requestFor('/api/health'))).status).toBe(200)
  await line.stop()
})

test('health says what the line was told about the journal', async () => {
  const line = new ApiLine(startOf(folders.make()), DEAF, SILENT)
  await line.ready
  const health = async () => {
    const answer = await line.ask(requestFor('/api/health'))
    return ((await answer.json()) as { status: string }).status
  }
  expect(await health()).toBe('ok')
  line.tell('degraded')
  expect(await health()).toBe('degraded')
  line.tell('ok')
  expect(await health()).toBe('ok')
  await line.stop()
})

test('a request that cannot even be read is answered with the envelope', async () => {
  const line = new ApiLine(startOf(folders.make()), DEAF, SILENT)
  await line.ready
  const answer = await line.ask({ ...requestFor('/api/health'), headers: [['not a name', 'x']] })
  expect(answer.status).toBe(500)
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(await answer.json()).toEqual({
    success: false,
    message: FAULT_MESSAGE,
    errors: {},
  })
  await line.stop()
})

test('when the thread fails, whoever waits and whoever comes later is told to come again', async () => {
  const file = join(folders.make(), 'file')
  writeFileSync(file, '')
  const line = new ApiLine(startOf(file), DEAF, SILENT)
  const waiting = line.ask(requestFor('/api/health'))
  await expect(line.ready).rejects.toThrow('The API thread failed: ')
  expect((await line.failed).message).toContain('EEXIST')
  await down(await waiting)
  await down(await line.ask(requestFor('/api/health')))
  await line.stop()
})
