import { afterAll, afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readClaimRecord } from '../../../src/codes/log/code-log-record.ts'
import { codeLogPath } from '../../../src/codes/log/read-code-log.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts'
import { eventually } from '../../rigs/eventually.ts'
import { asAnother, type OperatedFolder, operateFolder } from '../../rigs/program/operated-folder.ts'
import { startScript } from '../../rigs/program/run-script.ts'
import { ServerProcess } from '../../rigs/program/server-process.ts'
import { mountSmallDisk } from '../../rigs/program/small-disk.ts'
import { contradictions } from '../../rigs/store/store-agreement.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'
import { skipBecause } from '../../skips.ts'

setDefaultTimeout(120_000)

const disk = mountSmallDisk(8)
const folders = temporaryFolders()
let server: ServerProcess | undefined
afterEach(async () => {
  await server?.kill()
  server = undefined
})
afterAll(() => {
  folders.remove()
  disk?.unmount()
})

async function serve(folder: OperatedFolder): Promise<ServerProcess> {
  return (server = await ServerProcess.start(folder.settings))
}

const logged = (dataDir: string) =>
  readFileSync(codeLogPath(dataDir), 'latin1')
    .split('\n')
    .flatMap((line) => readClaimRecord(line) ?? [])

const claim = ({ api }: OperatedFolder, code: string) =>
  api('POST', '/api/links', { original_url: 'https://example.com/', custom_code: code })

test('every code and ID is in the log before the API acknowledges it, single and in bulk', async () => {
  const folder = await operateFolder(folders.make())
  const dataDir = folder.settings.DATA_DIR
  await serve(folder)
  const { body } = await folder.api('POST', '/api/links', { original_url: 'https://example.com/' })
  const { id, short_code: code } = JSON.parse(body).data
  expect(logged(dataDir)).toEqual([{ domainId: 0, code, workspaceId: folder.workspaceId, linkId: id }])
  await folder.makeLinks(['one', 'two'])
  expect(logged(dataDir).map((each) => each.code)).toEqual([code, 'one', 'two'])
  await server!.kill()
  expect(logged(dataDir)).toHaveLength(3)
})

test('after a kill between the log and the commit, a code has no link and stays reserved for its account', async () => {
  const folder = await operateFolder(folders.make())
  const rival = await asAnother(folder, 'rival@example.com')
  const dying = startScript('claim-and-die.script.ts', folder.settings.DATA_DIR, 'wanted')
  expect([await dying.exited, await dying.stderr.text()]).toEqual([137, ''])
  expect(logged(folder.settings.DATA_DIR).map(({ code }) => code)).toEqual(['wanted'])
  await serve(folder)
  expect((await folder.api('GET', '/wanted')).status).toBe(404)
  expect((await claim(rival, 'wanted')).status).toBe(422)
  const { status, body } = await claim(folder, 'wanted')
  expect([status, JSON.parse(body).data.id]).toEqual([201, 2])
  expect((await server!.stop()).exitCode).toBe(0)
  expect(contradictions(folder.settings.DATA_DIR)).toEqual([])
})

test('a folder without a log has one with all codes after the next start', async () => {
  const folder = await operateFolder(folders.make())
  const dataDir = folder.settings.DATA_DIR
  await serve(folder)
  await folder.makeLinks(['one', 'two'])
  await server!.stop()
  rmSync(codeLogPath(dataDir))
  await serve(folder)
  await folder.makeLinks(['three'])
  expect(new Set(logged(dataDir).map(({ code }) => code))).toEqual(new Set(['one', 'two', 'three']))
  await server!.stop()
})

const isSkipped = disk === undefined && skipBecause('a full disk', 'run the tests as root')

test.skipIf(isSkipped)('on a full disk no code is claimed, in the store or in the log', async () => {
  const folder = await operateFolder(join(disk!.folder, 'data'))
  const rival = await asAnother(folder, 'rival@example.com')
  const dataDir = folder.settings.DATA_DIR
  await serve(folder)
  expect((await claim(folder, 'before')).status).toBe(201)
  disk!.fill()
  const refused: string[] = []
  // The first ones may still find room in files that are there already.
  await eventually(
    async () => {
      const code = `full-${refused.length}-${crypto.randomUUID()}`
      const { status, headers } = await claim(folder, code)
      if (status !== 201) refused.push(code)
      if (status !== 201) expect([status, headers['retry-after']]).toEqual([503, '5'])
      return refused.length
    },
    (count) => count >= 20,
  )
  disk!.free()
  for (const code of refused) {
    const { status } = await eventually(
      () => claim(rival, code),
      (answer) => answer.status !== 503,
    )
    expect([code, status]).toEqual([code, 201])
  }
  await server!.stop()
  const store = await openSqliteStore(dataDir, 'same-thread')
  const codes = await store.db
    .selectFrom('links')
    .select(['domain_id as domainId', 'code', 'workspace_id as workspaceId', 'id as linkId'])
    .execute()
  await store.close()
  expect(logged(dataDir).sort((a, b) => a.linkId - b.linkId)).toEqual(
    codes.sort((a, b) => a.linkId - b.linkId),
  )
  expect(contradictions(dataDir)).toEqual([])
})
