import { expect, test } from 'bun:test'
import { temporaryFile } from '../../../test/rigs/import-fixtures.ts'
import { runTern } from '../../../test/rigs/program/server-process.ts'
import { startLinkCommandsRig } from '../../../test/rigs/service/link-commands-rig.ts'
import { useRig } from '../../../test/rigs/use-rig.ts'

const rig = useRig(startLinkCommandsRig)

test('an import is listed, tried to be undone, undone once, and imported again', async () => {
  const file = temporaryFile('url,slug\nhttps://example.com/a,undo-a\nhttps://example.com/b,undo-b\n')
  const first = await importFile(file)
  const second = await importFile(temporaryFile('url,slug\nhttps://example.com/c,undo-c\n'))
  const { output: list } = await tern(['list'])
  const rows = list.split('\n').map((row) => row.split(/ {2,}/))
  expect(rows[0]).toEqual(['id', 'source', 'by', 'begun', 'state', 'created', 'changed', 'refused'])
  const begun = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
  expect(rows.slice(1, 3)).toEqual([
    [second, 'CSV file', expect.any(String), begun, 'ended', '1', '0', '0'],
    [first, 'CSV file', expect.any(String), begun, 'ended', '2', '0', '0'],
  ])
  await rig.tern(['edit', 'undo-b', '--title', 'Mine'])

  const trial = await tern(['undo', first, '--edited', 'trash', '--dry-run'])
  expect([trial.exitCode, trial.output]).toEqual([
    0,
    'Dry run, nothing was changed: 2 links would go to the trash and 0 would stay.\n' +
      'The import has 2 links now, of which 1 was edited or clicked since.\n',
  ])
  const undone = await tern(['undo', first])
  expect([undone.exitCode, undone.complaints]).toEqual([0, ''])
  expect(undone.output).toBe(
    '1 link moved to the trash.\n1 link stays, because it was edited or clicked since it was imported.\n',
  )
  const again = await tern(['undo', first])
  expect([again.exitCode, again.complaints]).toEqual([
    1,
    expect.stringMatching(/^The import was undone already, which can be done once\. Links .*\n$/),
  ])
  expect((await tern(['csv', '--file', file])).output).toContain('\n1 created, 1 equal.\n')
  expect(await rig.visit('undo-a')).toEqual([302, 'https://example.com/a'])
})

test('in JSON, an undo is what the API answers', async () => {
  const id = await importFile(temporaryFile('url,slug\nhttps://example.com/e,undo-e\n'))
  const answer = async (...words: string[]) => JSON.parse((await tern([...words, '--json'])).output)
  const plan = { links: 1, edited: 0, to_trash: 1, changed: 0 }
  expect((await answer('undo', id, '--dry-run')).data).toMatchObject({ ...plan, import: { state: 'ended' } })
  expect((await answer('undo', id)).data).toMatchObject({ ...plan, import: { state: 'undoing' } })
  const states = (await answer('list')).data.map((each: any) => [String(each.id), each.state])
  expect(['undoing', 'undone']).toContain(Object.fromEntries(states)[id])
})

test('what is no import, and an unknown choice, are refused', async () => {
  const unknown = await tern(['undo', '999999'])
  expect([unknown.exitCode, unknown.complaints]).toEqual([1, 'Import not found.\n'])
  expect((await tern(['undo', 'first'])).complaints).toBe('The id must be a whole number.\n')
  const id = await importFile(temporaryFile('url,slug\nhttps://example.com/d,undo-d\n'))
  const { exitCode, complaints } = await tern(['undo', id, '--edited', 'some'])
  expect([exitCode, complaints]).toEqual([1, expect.stringContaining('must be one of keep, trash.')])
})

test('a file that is missing, and a choice that is none, begin no import', async () => {
  const before = await tern(['list'])
  expect((await tern(['csv', '--file', '/nowhere/links.csv'])).exitCode).toBe(1)
  const file = temporaryFile('url,slug\nhttps://example.com/f,undo-f\n')
  expect((await tern(['csv', '--file', file, '--on-conflict', 'merge'])).exitCode).toBe(1)
  expect((await tern(['list'])).output).toBe(before.output)
})

const tern = (words: string[]) =>
  runTern(['import', ...words], { BASE_URL: rig.origin, TERN_API_KEY: rig.folder.key })

/** Gives the ID of the import. */
async function importFile(file: string): Promise<string> {
  const { output } = await tern(['csv', '--file', file])
  return /tern import undo (\d+)/.exec(output)![1]!
}
