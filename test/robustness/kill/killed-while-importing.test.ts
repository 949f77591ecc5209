import { expect, setDefaultTimeout, test } from 'bun:test'
import { eventually } from '../../rigs/eventually.ts'
import { lacksPostgres } from '../../rigs/store/postgres-server.ts'
import { killNode } from '../driver/faults.ts'
import { names } from '../driver/load.ts'
import { Tern } from '../driver/tern.ts'

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 3)
setDefaultTimeout(120_000 + ROUNDS * 60_000)

const LINKS = 3_000

test(`an import that is killed in ${ROUNDS} rounds goes on after the next start, and has each link once`, async () => {
  await using tern = await Tern.start()
  let killedInTheMiddle = 0
  for (let round = 0; round < ROUNDS; round++) {
    const codes = names(`import-${round}`, LINKS)
    const id = await uploaded(tern, codes)
    await tern.api('POST', `/api/import-jobs/${id}/check`)
    await reaches(tern, id, ({ progress }) => progress.links > 0)
    await restart(tern)
    expect(await reaches(tern, id, isSettled)).toMatchObject({ state: 'checked', counts: { created: LINKS } })
    await tern.api('POST', `/api/import-jobs/${id}/start`)
    const { progress } = await reaches(tern, id, (job) => job.progress.links > 0)
    await restart(tern)
    if (progress.links < LINKS) killedInTheMiddle++
    const done = await reaches(tern, id, isSettled)
    const results = { created: LINKS, equal: 0, skipped: 0, kept: 0, replaced: 0, refused: 0 }
    expect(done).toMatchObject({ state: 'done', results, progress: { links: LINKS, of: LINKS } })
    expect(await totalOf(tern, `/api/links?import_id=${done.import_id}`)).toBe(LINKS)
    expect(await tern.visit(codes.at(-1)!)).toBe(302)
  }
  expect(killedInTheMiddle).toBeGreaterThan(0)
  expect(await totalOf(tern, '/api/imports')).toBe(ROUNDS)
  await tern.stopAll()
  expect(await tern.run(['recount', '--check'])).toMatchObject({ exitCode: 0 })
})

test.skipIf(lacksPostgres('an import on two nodes'))(
  'on PostgreSQL, another node goes on with the import of one that is killed',
  async () => {
    await using tern = await Tern.start({ nodes: 2, postgres: {} })
    const codes = names('taken-over', LINKS)
    const id = await uploaded(tern, codes)
    await tern.api('POST', `/api/import-jobs/${id}/check`)
    await reaches(tern, id, isSettled)
    await tern.api('POST', `/api/import-jobs/${id}/start`)
    await reaches(tern, id, (job) => job.progress.links > 0)
    await killNode(tern)
    const elsewhere = async () =>
      (await (await tern.ask(1, 'GET', `/api/import-jobs/${id}`)).json()) as { data: Job }
    const { data: done } = await eventually(elsewhere, ({ data }) => isSettled(data))
    expect(done).toMatchObject({ state: 'done', results: { created: LINKS, equal: 0, refused: 0 } })
    expect(await tern.visit(codes.at(-1)!, 1)).toBe(302)
  },
)

async function restart(tern: Tern): Promise<void> {
  await killNode(tern)
  await tern.start(0)
}

async function uploaded(tern: Tern, codes: readonly string[]): Promise<number> {
  const { id } = dataOf(await tern.api('POST', '/api/import-jobs', { source: 'csv' }))
  const text = ['url,slug', ...codes.map((code) => `https://example.com/${code},${code}`)].join('\n')
  const url = `http://127.0.0.1:${tern.nodes[0]!.port}/api/import-jobs/${id}/files?name=links.csv&offset=0`
  const headers = { 'X-API-Key': tern.operator.key, 'Content-Type': 'application/octet-stream' }
  const { status } = await fetch(url, { method: 'POST', headers, body: text })
  expect(status).toBe(200)
  return id
}

type Job = { state: string; progress: { links: number }; import_id: number | null }

const isSettled = ({ state }: Job): boolean => state !== 'checking' && state !== 'importing'

const dataOf = ({ body }: { body: string }) => JSON.parse(body).data

const reaches = (tern: Tern, id: number, isSo: (job: Job) => boolean): Promise<Job> =>
  eventually(async () => dataOf(await tern.api('GET', `/api/import-jobs/${id}`)) as Job, isSo)

const totalOf = async (tern: Tern, path: string): Promise<number> =>
  JSON.parse((await tern.api('GET', path)).body).meta.total
