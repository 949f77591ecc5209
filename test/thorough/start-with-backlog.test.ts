import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { realFiles } from '../../src/clicks/journal/files.ts'
import { openJournal } from '../../src/clicks/journal/open-journal.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { aClick } from '../rigs/clicks/journal-rig.ts'
import type { OperatedFolder } from '../rigs/program/operated-folder.ts'
import { Tern } from '../robustness/driver/tern.ts'

const BACKLOG = 200_000
const CLICKS_PER_GROUP = 2_000

test('with a large backlog a server responds at once and counts it in the background, across another restart', async () => {
  await using tern = await Tern.start()
  await tern.makeLinks('busy')
  await tern.stopAll()
  await journalClicks(tern.operator, 'busy')
  expect(readdirSync(join(tern.dataDir, 'journal')).length).toBeGreaterThan(3)

  await tern.start()
  const countAtFirst = (await tern.operator.clickCounts(['busy'])).get('busy')!
  expect((await tern.api('GET', '/busy')).status).toBe(302)
  // Were it counted before the first answer, there would be nothing left to count.
  expect(countAtFirst).toBeLessThan(BACKLOG)
  await tern.stopAll()

  await tern.start()
  await tern.counted({ busy: BACKLOG + 1 })
})

/** As many clicks of the code as a server journals that cannot count. */
async function journalClicks({ settings, workspaceId }: OperatedFolder, code: string): Promise<void> {
  const store = await openSqliteStore(settings.DATA_DIR, 'same-thread')
  const { id } = await store.db
    .selectFrom('links')
    .select('id')
    .where('code', '=', code)
    .executeTakeFirstOrThrow()
  await store.close()
  const journal = await openJournal(
    { files: realFiles, clock: systemClock },
    {
      dataDir: settings.DATA_DIR,
      node: 'before',
      boot: crypto.randomUUID(),
      sync: 'os',
      segmentBytesMax: 4 * 2 ** 20,
      onProgress: () => {},
    },
  )
  for (let made = 0; made < BACKLOG; made += CLICKS_PER_GROUP) {
    const click = () => aClick(0, { linkId: id, workspaceId, userAgent: 'curl/8.5.0' })
    await Promise.all(Array.from({ length: CLICKS_PER_GROUP }, () => journal.append(click())))
  }
  await journal.close()
}
