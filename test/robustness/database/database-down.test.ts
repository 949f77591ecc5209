import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eventually } from '../../rigs/eventually.ts'
import { KeepAliveClient } from '../../rigs/http/keep-alive-client.ts'
import { type OperatedFolder, operateFolder } from '../../rigs/program/operated-folder.ts'
import { findPostgres, PostgresServer } from '../../rigs/store/postgres-server.ts'
import { ServerProcess } from '../../rigs/program/server-process.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'
import { skipBecause } from '../../skips.ts'

const isMissing =
  findPostgres() === undefined && skipBecause('a database that is away', 'apt-get install postgresql')
const folders = temporaryFolders()

let postgres: PostgresServer
let folder: OperatedFolder
let server: ServerProcess

describe.skipIf(isMissing)('while the database is down', () => {
  beforeAll(async () => {
    postgres = await PostgresServer.start()
    folder = await operateFolder(folders.make(), { DATABASE_URL: await postgres.makeDatabase() })
    server = await ServerProcess.start(folder.settings)
    await folder.makeLinks(['known', 'other', 'seldom'])
  })

  afterAll(async () => {
    await server.stop()
    await postgres.remove()
    folders.remove()
  })

  test('known links redirect and are counted, others get 503, and health and metrics report it', async () => {
    for (const code of ['known', 'other']) expect((await open(code)).status).toBe(302)
    await postgres.stop('immediate')
    for (let n = 0; n < 50; n++) expect((await open('known')).status).toBe(302)
    const unknown = await open('seldom')
    expect([unknown.status, unknown.headers['retry-after']]).toEqual([503, '5'])
    expect(JSON.parse(unknown.body)).toEqual({
      success: false,
      code: 'store_unavailable',
      message: 'This link cannot be looked up at the moment. Try again in a few seconds.',
      errors: {},
    })
    const refused = await folder.api('GET', '/api/links')
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5'])
    expect(JSON.parse(refused.body)).toMatchObject({ success: false, errors: {} })
    const sick = await eventually(health, ({ status }) => status === 'degraded')
    expect(sick.status).toBe('degraded')

    await postgres.startAgain()
    expect((await eventually(health, ({ status }) => status === 'ok')).status).toBe('ok')
    expect(
      (
        await eventually(
          () => open('seldom'),
          ({ status }) => status === 302,
        )
      ).status,
    ).toBe(302)
    const counts = await eventually(
      () => folder.clickCounts(['known', 'other', 'seldom']),
      (found) => found.get('known') === 51 && found.get('seldom') === 1,
    )
    expect([...counts]).toEqual([
      ['known', 51],
      ['other', 1],
      ['seldom', 1],
    ])
  })

  test('a node still starts, redirects the links it knew, and counts them when the database is back', async () => {
    expect((await open('known')).status).toBe(302)
    expect((await server.stop()).exitCode).toBe(0)
    await postgres.stop('immediate')
    server = await ServerProcess.start(folder.settings)
    expect((await open('known')).status).toBe(302)
    expect((await open('never-made')).status).toBe(503)
    expect((await folder.api('GET', '/api/links')).status).toBe(503)
    expect((await health()).status).toBe('degraded')
    await postgres.startAgain()
    const counts = await eventually(
      () => folder.clickCounts(['known']).catch(() => new Map<string, number>()),
      (found) => found.get('known') === 53,
    )
    expect(counts.get('known')).toBe(53)
    expect((await open('never-made')).status).toBe(404)
  })
})

async function open(code: string) {
  const client = new KeepAliveClient(folder.port)
  const answer = await client.request({ method: 'GET', path: `/${code}` })
  client.close()
  if (typeof answer === 'string') throw new Error(answer)
  return answer
}

async function health(): Promise<{ status: string }> {
  const { status, body } = await folder.api('GET', '/api/health')
  expect(status).toBe(200)
  return JSON.parse(body)
}
