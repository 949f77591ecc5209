import { expect, setDefaultTimeout, test } from 'bun:test'
import { openStore } from '../../../src/store/open-store.ts'
import { eventually } from '../../rigs/eventually.ts'
import { killNode } from '../driver/faults.ts'
import { names } from '../driver/load.ts'
import { Tern } from '../driver/tern.ts'

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 3)
setDefaultTimeout(120_000 + ROUNDS * 60_000)

const LINKS = 2_000
const LINKS_PER_REQUEST = 100

test(`an import whose undo is killed in ${ROUNDS} rounds is undone by the next start, each link once`, async () => {
  await using tern = await Tern.start()
  let killedInTheMiddle = 0
  for (let round = 0; round < ROUNDS; round++) {
    const codes = names(`round-${round}`, LINKS)
    const id = await importLinks(tern, codes)
    const edited = codes.filter((_, at) => at % 7 === 0).slice(0, LINKS_PER_REQUEST)
    const change = { short_codes: edited, set: { folder: 'Mine' } }
    expect((await tern.api('POST', '/api/links/bulk-update', change)).status).toBe(200)
    expect((await tern.api('POST', `/api/imports/${id}/undo`, {})).status).toBe(200)
    await eventually(
      () => undoOf(tern, id),
      ({ trashed, spared }) => trashed + spared > 0,
    )
    await killNode(tern)
    const { trashed } = await storedUndo(tern, id)
    if (trashed < LINKS - edited.length) killedInTheMiddle++
    await tern.start(0)
    const undo = await eventually(
      () => undoOf(tern, id),
      ({ ended_at: at }) => at !== null,
    )
    expect(undo).toMatchObject({ trashed: LINKS - edited.length, spared: edited.length })
    expect(await remaining(tern, id)).toBe(edited.length)
    expect(await tern.visit(edited[0]!)).toBe(302)
    expect(await tern.visit(codes[1]!)).toBe(404)
  }
  expect(killedInTheMiddle).toBeGreaterThan(0)
  expect(await inTrash(tern)).toBe(ROUNDS * (LINKS - LINKS_PER_REQUEST))
  await tern.stopAll()
  expect(await tern.run(['recount', '--check'])).toMatchObject({ exitCode: 0 })
})

async function importLinks(tern: Tern, codes: readonly string[]): Promise<number> {
  const { body } = await tern.api('POST', '/api/imports', { source: 'csv' })
  const { id } = JSON.parse(body).data
  for (let from = 0; from < codes.length; from += LINKS_PER_REQUEST) {
    const links = codes
      .slice(from, from + LINKS_PER_REQUEST)
      .map((custom_code) => ({ original_url: 'https://example.com/', custom_code }))
    const { status } = await tern.api('POST', '/api/links/import', { import_id: id, links })
    expect(status).toBe(200)
  }
  return id
}

async function undoOf(tern: Tern, id: number) {
  const { body } = await tern.api('GET', `/api/imports/${id}`)
  return JSON.parse(body).data.undo as { trashed: number; spared: number; ended_at: string | null }
}

const totalOf = async (tern: Tern, path: string): Promise<number> =>
  JSON.parse((await tern.api('GET', path)).body).meta.total

const remaining = (tern: Tern, id: number) => totalOf(tern, `/api/links?import_id=${id}`)
const inTrash = (tern: Tern) => totalOf(tern, '/api/trash')

/** While no node runs. */
async function storedUndo({ nodes }: Tern, id: number) {
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = nodes[0]!.settings
  const { db, close } = await openStore({ dataDir, databaseUrl }, 'same-thread')
  const row = await db.selectFrom('imports').select('trashed').where('id', '=', id).executeTakeFirstOrThrow()
  await close()
  return row
}
