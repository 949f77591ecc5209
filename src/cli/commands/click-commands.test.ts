import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { aFact, insertFacts } from '../../../test/rigs/clicks/fact-rows.ts'
import { runTern } from '../../../test/rigs/program/server-process.ts'
import { done, refused } from '../../../test/rigs/program/tern-command.ts'
import { useCaller, useServiceRig } from '../../../test/rigs/service/service-rig.ts'
import { useSharedFolders } from '../../../test/rigs/use-rig.ts'

const rig = useServiceRig()
const caller = useCaller(rig)
const folders = useSharedFolders()

test('the clicks of each day are a file, and what broke off is all that is read again', async () => {
  await addClicks('2026-04-01T22:30:00Z', '2026-04-02T10:00:00Z')
  const folder = join(folders.make(), 'clicks')
  const days = ['--from', '2026-04-01', '--to', '2026-04-03']
  const path = (day: string) => join(folder, `${day}.csv`)
  const broken = await serverThatBreaksOff()
  const { exitCode, output, complaints } = await exportTo(folder, days, urlOf(broken))
  expect([exitCode, output]).toEqual([1, ''])
  expect(complaints).toContain(`${urlOf(broken)} does not respond`)
  expect(filesIn(folder)).toEqual([])
  broken.close()

  const all = ['2026-04-01', '2026-04-02', '2026-04-03']
  expect(await exportTo(folder, days)).toEqual(done(all.map(path).join('\n')))
  const linesOf = (day: string) => readFileSync(path(day), 'utf8').trim().split(/\r?\n/)
  expect(all.map((day) => linesOf(day).length)).toEqual([2, 2, 1])
  expect(linesOf('2026-04-02')[1]).toContain('2026-04-02T10:00:00')

  expect(await exportTo(folder, [...days, '--to', '2026-04-04'])).toEqual(done(path('2026-04-04')))
  expect(filesIn(folder)).toEqual([...all, '2026-04-04'].map((day) => `${day}.csv`))
  const inBerlin = join(folder, 'berlin')
  const berlin = ['--timezone', 'Europe/Berlin', '--format', 'ndjson', '--filter', 'country=unknown']
  await exportTo(inBerlin, ['--from', '2026-04-02', '--to', '2026-04-02', ...berlin])
  expect(readFileSync(join(inBerlin, '2026-04-02.ndjson'), 'utf8').trim().split('\n')).toHaveLength(2)
})

test('what cannot be exported is refused with a sentence', async () => {
  const folder = folders.make()
  const refusals = {
    'The first day is needed: --from 2026-01-01.': [],
    '--from must be a day: 2026-01-01.': ['--from', 'yesterday'],
    '--from must not be after the last day.': ['--from', '2026-04-02', '--to', '2026-04-01'],
    '--format must be csv, ndjson or parquet.': ['--from', '2026-04-01', '--format', 'xlsx'],
    '--timezone must be the name of a time zone: Europe/Berlin.': ['--from', '2026-04-01', '--timezone', 'X'],
    '--filter must be a name and a value: country=DE.': ['--from', '2026-04-01', '--filter', 'country'],
  }
  for (const [sentence, options] of Object.entries(refusals))
    expect(await exportTo(folder, options)).toEqual(refused(sentence))
  const tomorrow = Temporal.Now.plainDateISO('UTC').add({ days: 1 }).toString()
  const { complaints } = await exportTo(folder, ['--from', '2026-04-01', '--to', tomorrow])
  expect(complaints).toMatch(/^--to must be a day that is over: \d{4}-\d\d-\d\d at last\.\n$/)
  const day = ['--from', '2026-04-01', '--to', '2026-04-01']
  const misspelled = await exportTo(folder, [...day, '--filter', 'contry=DE'])
  expect(misspelled.complaints).toMatch(
    /^There is no filter contry\. There are country, device, .*, short_code\.\n$/,
  )
  expect(await exportTo(folder, [...day, '--filter', 'format=ndjson'])).toMatchObject({ exitCode: 1 })
  const unknown = await exportTo(join(folder, 'new'), [...day, '--filter', 'country=Germany'])
  expect(unknown).toEqual(refused('The country must be a code of two letters, such as DE, or unknown.'))
  expect(readdirSync(folder)).toEqual([])
  const file = join(import.meta.dir, 'click-commands.test.ts')
  expect(await exportTo(file, day)).toEqual(
    refused(`${file} cannot be written: part of its path is not a folder.`),
  )
})

test('files of other clicks are not put beside those that a folder has', async () => {
  const folder = folders.make()
  const day = (number: number) => ['--from', `2026-04-0${number}`, '--to', `2026-04-0${number}`]
  const filters = ['--filter', 'device=mobile', '--filter', 'country=DE']
  expect((await exportTo(folder, [...day(1), ...filters])).exitCode).toBe(0)
  const has = `${folder} has clicks of days in UTC with country=DE and device=mobile.`
  expect(await exportTo(folder, day(1))).toEqual(
    refused(`${has} Use another folder for clicks of days in UTC.`),
  )
  expect(
    await exportTo(folder, [...day(2), '--timezone', 'Europe/Berlin', '--filter', 'country=DE']),
  ).toEqual(refused(`${has} Use another folder for clicks of days in Europe/Berlin with country=DE.`))
  const same = ['--filter', 'country=DE', '--filter', 'device=mobile', '--format', 'ndjson']
  expect((await exportTo(folder, [...day(2), ...same])).exitCode).toBe(0)
  expect(filesIn(folder)).toEqual(['2026-04-01.csv', '2026-04-02.ndjson'])

  const unnamed = folders.make()
  writeFileSync(join(unnamed, '2026-04-01.csv'), '')
  expect((await exportTo(unnamed, day(2))).complaints).toContain(
    'files that do not say which clicks they have',
  )
})

/** Without the note that says which clicks they have. */
const filesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name !== '.tern-export')
    .sort()

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as { port: number }).port}`

const exportTo = (folder: string, options: string[], url = rig.url) =>
  runTern(['click', 'export', folder, ...options], { BASE_URL: url, TERN_API_KEY: caller.key })

async function addClicks(...times: string[]): Promise<void> {
  const facts = times.map((time) =>
    aFact({
      workspace_id: caller.workspaceId,
      clicked_at: Number(Temporal.Instant.from(time).epochMilliseconds) * 1_000,
    }),
  )
  await insertFacts(rig.store.relaxedDb, facts)
}

/** Its answers end in the middle of a line. */
async function serverThatBreaksOff(): Promise<Server> {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nTransfer-Encoding: chunked\r\n\r\n'
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.write(`${head}9\r\nclicked_a\r\n`, () => socket.destroy()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
