import { expect, test } from 'bun:test'
import { readFileSync, rmSync } from 'node:fs'
import { readClaimRecord } from '../../../src/codes/log/code-log-record.ts'
import { codeLogPath } from '../../../src/codes/log/read-code-log.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts'
import { eventually, until } from '../../rigs/eventually.ts'
import { asAnother, type OperatedFolder } from '../../rigs/program/operated-folder.ts'
import { startScript } from '../../rigs/program/run-script.ts'
import { contradictions } from '../../rigs/store/store-agreement.ts'
import { fullDisk, killNode } from '../driver/faults.ts'
import { expectInvariants } from '../driver/invariants.ts'
import { lacks } from '../driver/lacks.ts'
import { Tern } from '../driver/tern.ts'

test('every code and ID is in the log before the API acknowledges it, single and in bulk', async () => {
  await using tern = await Tern.start()
  const { workspaceId } = tern.operator
  const { body } = await tern.api('POST', '/api/links', { original_url: 'https://example.com/' })
  const { id, short_code: code } = JSON.parse(body).data
  expect(logged(tern)).toEqual([{ domainId: 0, code, workspaceId, linkId: id }])
  await tern.makeLinks('one', 'two')
  expect(logged(tern).map((each) => each.code)).toEqual([code, 'one', 'two'])
  await killNode(tern)
  expect(logged(tern)).toHaveLength(3)
})

test('after a kill between the log and the commit, a code has no link and stays reserved for its account', async () => {
  await using tern = await new Tern().prepare()
  const rival = await asAnother(tern.operator, 'rival@example.com')
  const dying = startScript('claim-and-die.script.ts', tern.dataDir, 'wanted')
  expect([await dying.exited, await dying.stderr.text()]).toEqual([137, ''])
  expect(logged(tern).map(({ code }) => code)).toEqual(['wanted'])
  await tern.startAll()
  expect((await tern.api('GET', '/wanted')).status).toBe(404)
  expect((await claim(rival, 'wanted')).status).toBe(422)
  const { status, body } = await claim(tern.operator, 'wanted')
  expect([status, JSON.parse(body).data.id]).toEqual([201, 2])
  await tern.stopAll()
  expect(await contradictions(tern.dataDir)).toEqual([])
})

test('a folder without a log has one with all codes after the next start', async () => {
  await using tern = await Tern.start()
  await tern.makeLinks('one', 'two')
  await tern.stopAll()
  rmSync(codeLogPath(tern.dataDir))
  await tern.start()
  await tern.makeLinks('three')
  expect(new Set(logged(tern).map(({ code }) => code))).toEqual(new Set(['one', 'two', 'three']))
})

test.skipIf(lacks('a full disk', 'small disks'))(
  'on a full disk no code is claimed, in the store or in the log',
  async () => {
    await using tern = await Tern.start({ diskMegabytes: 8 })
    const rival = await asAnother(tern.operator, 'rival@example.com')
    expect((await claim(tern.operator, 'before')).status).toBe(201)
    const free = await fullDisk(tern)
    const refused: string[] = []
    // The first ones may still find room in files that are there already.
    await until(async () => {
      const code = `full-${refused.length}-${crypto.randomUUID()}`
      const { status, headers } = await claim(tern.operator, code)
      if (status !== 201) refused.push(code)
      if (status !== 201) expect([status, headers['retry-after']]).toEqual([503, '5'])
      return refused.length >= 20
    })
    await free()
    for (const code of refused) {
      const { status } = await eventually(
        () => claim(rival, code),
        (answer) => answer.status !== 503,
      )
      expect([code, status]).toEqual([code, 201])
    }
    await expectInvariants(tern)
    expect(logged(tern).sort((a, b) => a.linkId - b.linkId)).toEqual(await claimsInStore(tern))
  },
)

const logged = ({ dataDir }: Tern) =>
  readFileSync(codeLogPath(dataDir), 'latin1')
    .split('\n')
    .flatMap((line) => readClaimRecord(line) ?? [])

const claim = ({ api }: OperatedFolder, code: string) =>
  api('POST', '/api/links', { original_url: 'https://example.com/', custom_code: code })

async function claimsInStore({ dataDir }: Tern) {
  const { db, close } = await openSqliteStore(dataDir, 'same-thread')
  const claims = await db
    .selectFrom('links')
    .select(['domain_id as domainId', 'code', 'workspace_id as workspaceId', 'id as linkId'])
    .orderBy('id')
    .execute()
  await close()
  return claims
}
