import { expect, test } from 'bun:test'
import { done, refused, useTernCommand } from '../../../test/rigs/program/tern-command.ts'
import { addAccount } from '../../../test/rigs/service/add-account.ts'
import { NOON_US } from '../../../test/rigs/clicks/journal-rig.ts'
import { openStore } from '../../store/open-store.ts'

const rig = useTernCommand()

test('reports are listed by link, closed, and listed as closed', async () => {
  expect((await tern('list')).complaints).toStartWith('There is no database in ')
  await (await openStore(rig, 'same-thread')).close()
  expect(await tern('list')).toEqual(done('There are no open reports.'))
  expect(await tern('list', '--json')).toEqual(done('[]'))
  await addReports(7, 8, 7)
  const { output } = await tern('list')
  expect(output.split('\n')).toEqual([
    'link  short url                 now      owner            reports  last reason          last reported',
    '7     https://s.example/code-7  deleted  ann@example.com  2        Phishing or malware  2026-04-20T12:00:00Z',
    '8     https://s.example/code-8  deleted  ann@example.com  1        Phishing or malware  2026-04-20T12:00:00Z',
    '',
  ])
  const json = (await tern('list', '--json')).output
  expect(json).toContain('"message":"\\u001b[2J"')
  expect(JSON.parse(json)).toMatchObject([
    { link_id: 7, count: 2, current: null, workspace: { owner: 'ann@example.com' } },
    { link_id: 8, count: 1 },
  ])

  expect(await tern('close', '7')).toEqual(done('Closed 2 reports about https://s.example/code-7.'))
  expect(await tern('close', '7')).toEqual(refused('There is no open report about this link.'))
  expect((await tern('list')).output).not.toContain('code-7')
  expect((await tern('list', '--closed')).output).toContain('code-7')
  expect(await tern('close', '8')).toEqual(done('Closed 1 report about https://s.example/code-8.'))
  expect(await tern('list')).toEqual(done('There are no open reports.'))
})

test('a page has a hundred links, and the last line says how many pages there are', async () => {
  await addReports(...Array.from({ length: 101 }, (_, index) => index + 1))
  const last = async (...words: string[]) => (await tern('list', ...words)).output.trimEnd().split('\n')
  expect(await last()).toHaveLength(1 + 100 + 1)
  expect((await last()).at(-1)).toBe('Page 1 of 2. Choose another one with --page.')
  expect((await last('--page', '2')).slice(1)).toEqual([
    expect.stringContaining('https://s.example/code-1 '),
    'Page 2 of 2. Choose another one with --page.',
  ])
})

test.each([
  [['list', '--page', '0'], '--page must be at least 1.'],
  [['list', '--page', 'two'], '--page must be a whole number.'],
  [['close', 'code'], 'The link must be a whole number.'],
  [['close', '1'], 'There is no open report about this link.'],
])('%j is refused', async (words, sentence) => {
  await (await openStore(rig, 'same-thread')).close()
  expect(await tern(...words)).toEqual(refused(sentence))
})

const tern = (...words: string[]) => rig.tern('report', ...words)

/** Reports about links that are deleted, by their IDs. */
async function addReports(...linkIds: number[]): Promise<void> {
  const { db, close } = await openStore(rig, 'same-thread')
  const { workspaceId } = await addAccount(db, { email: 'ann@example.com', name: 'Ann' })
  const rows = linkIds.map((linkId, index) => ({
    workspace_id: workspaceId,
    link_id: linkId,
    short_url: `https://s.example/code-${linkId}`,
    original_url: 'https://example.com/',
    reason: 'phishing',
    message: '\x1B[2J',
    reported_at: NOON_US + index,
  }))
  await db.insertInto('link_reports').values(rows).execute()
  await close()
}
