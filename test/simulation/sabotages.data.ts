import type { Change } from '../rigs/program/changed-checkout.ts'

const CLICK_FILE = 'src/clicks/parquet/parquet-file.ts'
const CLICK_FILES = 'src/clicks/parquet/click-files.ts'
const DELETE = 'src/clicks/deletion/delete-link-clicks.ts'
const DECIDE = 'src/redirect/decide-options.ts'
const FRAME = 'src/clicks/journal/frame.ts'
const INGEST = 'src/clicks/ingest/ingest.ts'
const EXTRAS = 'src/redirect/click-extras-of.ts'
const JOURNAL = 'src/clicks/journal/journal.ts'
const KEEP_FILES = 'src/clicks/parquet/keep-click-files.ts'
const MOVED = 'src/clicks/deletion/moved-clicks.ts'
const MATCH = 'src/redirect/match-rules.ts'
const NEXT_BATCH = 'src/clicks/ingest/next-batch.ts'
const OPEN_JOURNAL = 'src/clicks/journal/open-journal.ts'
const OPENINGS = 'src/redirect/limited-openings.ts'
const READER = 'src/clicks/ingest/journal-reader.ts'
const REMOVE = 'src/clicks/journal/remove-old-segments.ts'
const WRITE_ALL = 'src/store/files/write-all.ts'
const WRITER = 'src/clicks/journal/segment-writer.ts'

/** Programs that are broken on purpose. The simulation must detect each of them. `isRare`: only one of hundreds of seeds meets it. */
export const SABOTAGES: { title: string; isRare?: true; changes: Change[] }[] = [
  {
    title: 'counts a batch wherever its segment stands',
    changes: [{ path: INGEST, of: `      .where('position', '=', from)\n`, instead: '' }],
  },
  {
    title: 'counts a batch although the position was not moved',
    changes: [{ path: INGEST, of: 'if (numUpdatedRows !== 1n)', instead: 'if (numUpdatedRows > 1n)' }],
  },
  {
    title: 'counts a batch again when the answer to its commit was lost',
    changes: [
      { path: INGEST, of: `'position', '=', from`, instead: `'position', 'in', [from, batch.position]` },
      { path: INGEST, of: `      .where('finished_at', 'is', null)\n`, instead: '' },
      { path: READER, of: '      await this.#reload(segment)\n', instead: '' },
    ],
  },
  {
    title: 'moves the position after the transaction',
    changes: [
      { path: INGEST, of: '      await this.#movePosition(tx, batch, origin)\n', instead: '' },
      {
        path: INGEST,
        of: '    this.#bounds.remember()\n',
        instead:
          '    await this.#movePosition(this.#deps.store.clicksDb, batch, origin)\n    this.#bounds.remember()\n',
      },
    ],
  },
  {
    title: 'does not sync a segment before the next one',
    changes: [
      { path: WRITER, of: `encodeSeal(this.#clicks), 'disk')`, instead: `encodeSeal(this.#clicks), 'os')` },
      {
        path: WRITER,
        of: '    if (this.#syncedPosition !== this.#position) await this.#file.datasync().catch(() => {})\n',
        instead: '',
      },
    ],
  },
  {
    title: 'takes a short write for a whole one',
    changes: [
      { path: WRITE_ALL, of: 'done += someOf(await ', instead: 'done = bytes.length + 0 * someOf(await ' },
    ],
  },
  {
    title: 'leaves refused bytes where they are',
    isRare: true,
    changes: [
      { path: WRITER, of: '      await this.#cutBack()\n      throw error', instead: '      throw error' },
    ],
  },
  {
    title: 'trusts a segment that the disk has refused to sync',
    isRare: true,
    changes: [
      { path: WRITER, of: '      this.#isUsable = false\n      throw error', instead: '      throw error' },
    ],
  },
  {
    title: 'answers before the group is written',
    changes: [
      {
        path: JOURNAL,
        of: '        await this.#segments.write(group)\n        this.#lastWriteFailed = false\n        group.ends.resolve()',
        instead:
          '        group.ends.resolve()\n        await this.#segments.write(group)\n        this.#lastWriteFailed = false',
      },
    ],
  },
  {
    title: 'does not sync the folder of a new segment',
    changes: [{ path: WRITER, of: '      await files.syncFolder(settings.folder)\n', instead: '' }],
  },
  {
    title: 'does not sync the folder of a new journal',
    changes: [{ path: OPEN_JOURNAL, of: '  await deps.files.syncFolder(settings.dataDir)\n', instead: '' }],
  },
  {
    title: 'does not sync what a killed run has left',
    changes: [{ path: OPEN_JOURNAL, of: '  await files.syncFile(path).catch(() => {})\n', instead: '' }],
  },
  {
    title: 'goes on from the last name instead of the last segment',
    changes: [
      {
        path: OPEN_JOURNAL,
        of: 'segments.filter(({ header }) => !continued.has(header.segment))',
        instead: 'segments.slice(-1)',
      },
    ],
  },
  {
    title: 'removes a segment before its count is on the disk',
    isRare: true,
    changes: [
      { path: REMOVE, of: '    if (old.length > 0) await changeSomething(tx, old[0]!)\n', instead: '' },
    ],
  },
  {
    title: 'removes what is not counted to its end',
    changes: [
      { path: REMOVE, of: `.where('finished_at', '<=', before)`, instead: `.where('position', '>', 0)` },
    ],
  },
  {
    title: 'removes the last segment, too',
    changes: [{ path: REMOVE, of: 'finished.slice(0, -1)', instead: 'finished' }],
  },
  {
    title: 'reads a torn record as if it were whole',
    changes: [
      {
        path: FRAME,
        of: `  if (bytes.readUInt32LE(start) !== crc32(bytes, start + 4, frameEnd)) return 'bad'\n`,
        instead: '',
      },
    ],
  },
  {
    title: 'reads on where the segment after says that it ends',
    isRare: true,
    changes: [{ path: NEXT_BATCH, of: 'next?.previousEnd ?? Infinity', instead: 'Infinity' }],
  },
  {
    title: 'reads beyond what the journal has announced',
    changes: [{ path: NEXT_BATCH, of: 'announced ?? Math.min(', instead: 'Math.min(' }],
  },
  {
    title: 'does not keep what it does not understand',
    changes: [{ path: READER, of: '    await saveUnreadable(', instead: '    void (' }],
  },
  {
    title: 'leads a visitor on whose opening it could not spend',
    changes: [
      {
        path: OPENINGS,
        of: 'this.#ask(() => this.#store.spend(linkId))',
        instead: 'this.#ask(() => this.#store.spend(linkId)).catch(() => true)',
      },
    ],
  },
  {
    title: 'keeps the opening of a visitor who is refused',
    changes: [
      {
        path: OPENINGS,
        of: '    if (response.location === undefined) await this.#store.giveBack(route.linkId)\n',
        instead: '',
      },
    ],
  },
  {
    title: 'leads to a link that has not started',
    changes: [
      { path: DECIDE, of: 'startsAtUs !== null && facts.nowUs() <', instead: 'startsAtUs !== null && 0 >' },
    ],
  },
  {
    title: 'opens a link a minute longer than its end',
    changes: [
      { path: DECIDE, of: 'facts.nowUs() >= expiresAtUs', instead: 'facts.nowUs() >= expiresAtUs + 6e7' },
    ],
  },
  {
    title: 'draws the part of a split again for every visit',
    changes: [
      { path: MATCH, of: 'shareOf([facts.visitor(), linkId, rule.number])', instead: 'Math.random()' },
    ],
  },
  {
    title: 'counts the visitors of all parts of a split as those of one',
    changes: [
      {
        path: EXTRAS,
        of: '{ code, isAlias }: Pick<',
        instead: '{ code, isAlias, options }: LinkRoute & Pick<',
      },
      {
        path: EXTRAS,
        of: 'return { variant,',
        instead: `const split = options?.rules?.list.find(({ parts }) => parts.some((part) => part.variant === variant))
  return { variant: split?.parts[0]!.variant ?? variant,`,
      },
    ],
  },
  {
    title: 'enters a file of clicks that is not on the disk',
    changes: [{ path: CLICK_FILE, of: '  await files.syncFile(path + UNFINISHED)\n', instead: '' }],
  },
  {
    title: 'enters a file of clicks whose name is not on the disk',
    changes: [{ path: CLICK_FILE, of: '  await files.syncFolder(folder)\n', instead: '' }],
  },
  {
    title: 'does not sync the folder of the first file of clicks',
    changes: [{ path: CLICK_FILES, of: '  await files.syncFolder(dirname(folder))\n', instead: '' }],
  },
  {
    title: 'enters a file of clicks after the transaction that removes them from the table',
    changes: [
      {
        path: KEEP_FILES,
        of: 'transact(store.relaxedDb, (tx) => enterClosed(tx, { upToId, files }))',
        instead:
          'transact(store.relaxedDb, (tx) => enterClosed(tx, { upToId, files: [] }, files)).then(() => transact(store.relaxedDb, (tx) => enterClosed(tx, { upToId: -1, files }, [])))',
      },
      {
        path: CLICK_FILES,
        of: '{ upToId, files }: { upToId: number; files: ClickFile[] },',
        instead: '{ upToId, files }: { upToId: number; files: ClickFile[] }, counted = files,',
      },
      { path: CLICK_FILES, of: 'files.reduce((sum, file)', instead: 'counted.reduce((sum, file)' },
    ],
  },
  {
    title: 'goes on counting files of clicks that were written into one',
    changes: [
      {
        path: KEEP_FILES,
        of: 'enterRewritten(tx, { names, file',
        instead: 'enterRewritten(tx, { names: names.slice(1), file',
      },
    ],
  },
  {
    title: 'deletes the clicks of other links with those of one',
    changes: [
      {
        path: DELETE,
        of: `deleteFrom('clicks').where('link_id', '=', link.linkId)`,
        instead: `deleteFrom('clicks').where('link_id', '>=', link.linkId)`,
      },
    ],
  },
  {
    title: 'leaves the clicks of a file that are to be deleted',
    changes: [
      {
        path: MOVED,
        of: 'await forgetLink(tx, linkId, names)',
        instead: 'await forgetLink(tx, linkId, names.slice(1))',
      },
    ],
  },
  {
    title: 'deletes clicks in files that are written once more, and not in the new file',
    changes: [
      {
        path: CLICK_FILES,
        of: 'for (const id of new Set(ids)) await',
        instead: 'for (const id of new Set(ids.slice(ids.length))) await',
      },
    ],
  },
  {
    title: 'enters a file of clicks of which some were deleted',
    changes: [
      {
        path: CLICK_FILES,
        of: 'if (Number(numAffectedRows) !== rows)',
        instead: 'if (Number(numAffectedRows) > rows)',
      },
    ],
  },
  {
    title: 'takes deleted clicks in a file for removed',
    changes: [
      { path: KEEP_FILES, of: 'if (holder !== undefined) await', instead: 'if (holder === name + 0) await' },
    ],
  },
  {
    title: 'counts deleted clicks once more after a restart',
    changes: [
      {
        path: DELETE,
        of: '  await tx.deleteFrom(',
        instead: `  await tx.updateTable('journal_segments').set({ position: 0, clicks: 0, finished_at: null }).execute()
  await tx.deleteFrom(`,
      },
    ],
  },
  {
    title: 'deletes a replaced file of clicks before its replacement is on the disk',
    isRare: true,
    changes: [
      {
        path: CLICK_FILES,
        of: '    if (rows.length > 0)\n      await sql`UPDATE',
        instead: '    if (rows.length < 0)\n      await sql`UPDATE',
      },
    ],
  },
  {
    title: 'deletes replaced files of clicks that an older database needs',
    isRare: true,
    changes: [
      {
        path: KEEP_FILES,
        of: 'const beforeUs = clock.nowUs() - retentionUs',
        instead: 'const beforeUs = clock.nowUs() + 0 * retentionUs',
      },
    ],
  },
  {
    title: 'leaves a file of clicks in the trash when its database is back',
    isRare: true,
    changes: [
      {
        path: 'src/clicks/parquet/tidy-click-files.ts',
        of: 'for (const name of back) await',
        instead: 'for (const name of back.slice(back.length)) await',
      },
    ],
  },
]
