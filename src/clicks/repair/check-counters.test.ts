import { describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { countAll } from '../../../test/rigs/clicks/ingest-rig.ts'
import { aClick, NOON_US } from '../../../test/rigs/clicks/journal-rig.ts'
import { useReaderRig } from '../../../test/rigs/clicks/reader-rig.ts'
import { DAY_US, HOUR_US } from '../../runtime/clock.ts'
import { mergeNextClicks } from '../facts/merge-clicks.ts'
import { checkCounters } from './check-counters.ts'

const rig = useReaderRig()

const BOT = { userAgent: 'Bot/1' }

describe('the counters', () => {
  test('as they are counted agree in every claim', async () => {
    expect(await broken()).toEqual([])
    await countSome()
    expect((await check()).length).toBe(16)
    expect(await broken()).toEqual([])
  })

  test.each([
    ['link_totals', 'clicks', ['a link', 'its links', 'the journal']],
    ['link_totals', 'visitors', ['a link']],
    ['clicks', 'bots', ['a link', 'an hour of a workspace']],
    ['clicks', 'workspace_visitors', ['an hour of a workspace']],
    ['workspace_totals', 'bots', ['a workspace', 'its links']],
    ['workspace_totals', 'visitors', ['a workspace']],
    ['workspace_hours', 'clicks', ['a workspace', 'an hour of a workspace', 'has another via than most']],
    ['journal_segments', 'clicks', ['the journal']],
  ])('with %s.%s changed by hand are found out, with both numbers', async (table, column, where) => {
    await countSome()
    await sql
      .raw(
        `UPDATE ${table} SET ${column} = ${column} + 1000 WHERE rowid IN (SELECT max(rowid) FROM ${table})`,
      )
      .execute(rig.store.db)
      // Tables without a rowid.
      .catch(() => sql.raw(`UPDATE ${table} SET ${column} = ${column} + 1000`).execute(rig.store.db))
    const found = await broken()
    for (const words of where) expect(found.map(({ claim }) => claim).join('; ')).toContain(words)
    const texts = found.flatMap((each) => each.broken.flatMap(({ stored, others }) => [stored, others]))
    expect(texts.join(' ')).toMatch(/\b[1-9]\d{3}\b/)
  })

  test('name the row, what is stored in it, and what the others say', async () => {
    await countSome()
    await rig.store.db.updateTable('link_totals').set({ clicks: 9 }).where('link_id', '=', 2).execute()
    expect((await broken())[0]).toEqual({
      claim: 'the totals of a link are the sums of its clicks',
      broken: [
        { subject: 'link 2', stored: '9 clicks, 1 visitors, 0 bots', others: '2 clicks, 1 visitors, 0 bots' },
      ],
    })
  })

  test('with one dimension changed are found out in that dimension only', async () => {
    await countSome()
    await rig.store.db
      .updateTable('workspace_hours')
      .set({ visitors: 7 })
      .where('dimension', '=', 'browser')
      .where('workspace_id', '=', 1)
      .execute()
    const [found, ...others] = await broken()
    expect(others).toEqual([])
    expect(found!.broken[0]!.subject).toBe('workspace 1, hour 2026-04-20T12, by browser')
    expect(found!.broken).toHaveLength(2)
  })

  test('with a row removed are found out from either side', async () => {
    await countSome()
    await rig.store.db.deleteFrom('link_totals').where('link_id', '=', 2).execute()
    expect((await broken()).flatMap((each) => each.broken.map(({ subject }) => subject))).toContain('link 2')
    await rig.store.db.deleteFrom('clicks').where('link_id', '=', 1).execute()
    expect((await broken()).flatMap((each) => each.broken.map(({ subject }) => subject))).toContain('link 1')
  })

  test('agree after clicks were merged', async () => {
    await countSome()
    while (await mergeNextClicks(rig.store.relaxedDb, { nowUs: NOON_US + DAY_US, keepDays: 0 }));
    const { count } = await rig.store.db
      .selectFrom('clicks')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect([Number(count), await broken()]).toEqual([8, []])
  })
})

describe('links', () => {
  test('that are counted wrongly, or are not their code’s owner’s, are found out', async () => {
    await sql`INSERT INTO workspaces (id, name, plan, subscription_status, created_at)
      VALUES (1, '', 'free', 'active', 0), (2, '', 'free', 'active', 0)`.execute(rig.store.db)
    await sql`INSERT INTO codes (code, workspace_id) VALUES ('mine', 1)`.execute(rig.store.db)
    await sql`INSERT INTO links (workspace_id, code, svc_id, original_url, title, is_active, created_at, updated_at)
      VALUES (2, 'mine', '', '', '', 1, 0, 0)`.execute(rig.store.db)
    expect(await broken()).toEqual([
      {
        claim: 'links are counted as they are',
        broken: [
          {
            subject: 'workspace 2',
            stored: '0 links, 0 active, 0 archived',
            others: '1 links, 1 active, 0 archived',
          },
        ],
      },
      {
        claim: 'every link is its code owner’s',
        broken: [{ subject: 'link 1', stored: 'workspace 2', others: 'workspace 1' }],
      },
    ])
  })
})

/** Two hours of clicks on two links of two workspaces, bots among them. */
async function countSome(): Promise<void> {
  const { journal, clock } = rig.journalOf()
  for (const hour of [0, 1]) {
    await journal.append(aClick(1))
    await journal.append(aClick(2, { linkId: 2, workspaceId: 2, country: 'FR' }))
    await journal.append(aClick(3, BOT))
    await journal.append(
      aClick(1, { extras: { variant: 'rule 1', via: 'qr', language: '', utm: '', alias: '' } }),
    )
    if (hour === 0) clock.advance(HOUR_US)
  }
  await journal.close()
  const reader = rig.readerOf({ boot: 'another' })
  await reader.findSegments()
  await countAll(reader)
}

const check = () => checkCounters(rig.store.db)
const broken = async () => (await check()).filter((each) => each.broken.length > 0)
