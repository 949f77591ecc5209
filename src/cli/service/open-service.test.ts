import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { becomes, eventually } from '../../../test/rigs/eventually.ts'
import { freePort } from '../../../test/rigs/free-port.ts'
import { useFolders } from '../../../test/rigs/use-rig.ts'
import { readConfig } from '../../config/config.ts'
import { jsonLog } from '../../runtime/log.ts'
import { lockFolder, lockJournal } from '../../store/files/folder-lock.ts'
import { openService } from './open-service.ts'

const folders = useFolders()

const log = jsonLog('silent', 'redirect')

test('a service that cannot have its port lets everything go that it had opened', async () => {
  const other = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
  const folder = folders.make()
  await expect(openService(configOf(folder, other.port!), log)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  lockFolder(folder).release()
  // The connection that closes last, on whichever thread, takes SQLite's side files away.
  const storeFiles = () => readdirSync(folder).filter((name) => name.startsWith('tern.db'))
  expect(await eventually(storeFiles, ({ length }) => length === 1)).toEqual(['tern.db'])
  const service = await openService(configOf(folder, 0), log)
  await service.stop()
  await other.stop(true)
})

test('a service that is stopped has let everything go, and can be started again', async () => {
  const folder = folders.make()
  for (let time = 0; time < 2; time++) {
    const service = await openService(configOf(folder, 0), log)
    await isHealthy(service.port)
    await service.stop()
    expect(await statusOf(service.port, '/api/health')).toBeUndefined()
    lockFolder(folder).release()
  }
  expect(readdirSync(folder).filter((name) => name.startsWith('tern.db'))).toEqual(['tern.db'])
})

test('a folder that is served is refused, and the one who serves it is not disturbed', async () => {
  const folder = folders.make()
  const port = freePort()
  const service = await openService(configOf(folder, port), log)
  await expect(openService(configOf(folder, 0), log)).rejects.toThrow(`in use by process ${process.pid}`)
  await isHealthy(port)
  await service.stop()
})

test('a left folder whose journal is still written is refused, before anything in it is touched', async () => {
  const left = folders.make()
  const writer = await openService(configOf(left, 0), log)
  // As one that is just being made.
  const segment = join(left, 'journal', `${Bun.randomUUIDv7()}.journal`)
  await Bun.write(segment, 'TERN')
  const folder = folders.make()
  await expect(openService(configOf(folder, 0), log, { leftFolders: [left] })).rejects.toThrow(
    `The click journal in ${left} is in use by process ${process.pid}`,
  )
  expect(await Bun.file(segment).text()).toBe('TERN')
  lockFolder(folder).release()
  await writer.stop()
  const next = await openService(configOf(folder, 0), log, { leftFolders: [left] })
  await next.stop()
  lockJournal(left).release()
})

test('a journal folder that is none is refused before the port is opened', async () => {
  const folder = folders.make()
  const port = freePort()
  await Bun.write(join(folder, 'journal'), '')
  await expect(openService(configOf(folder, port), log)).rejects.toMatchObject({ code: 'EEXIST' })
  expect(await statusOf(port, '/api/health')).toBeUndefined()
  lockFolder(folder).release()
})

/** Not at once where everything takes long. */
const isHealthy = (port: number) => becomes(() => statusOf(port, '/api/health'), 200)

/** Undefined when nobody listens. */
function statusOf(port: number, path: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('error', () => resolve(undefined))
    socket.on('data', (bytes) => {
      resolve(Number(bytes.toString('latin1').split(' ')[1]))
      socket.destroy()
    })
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  })
}

const configOf = (dataDir: string, port: number) =>
  readConfig({
    DATA_DIR: dataDir,
    PORT: String(port),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
    BASE_URL: 'http://localhost',
  })
