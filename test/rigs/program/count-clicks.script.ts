import { systemClock } from '../../../src/runtime/clock.ts'
import { realFiles } from '../../../src/clicks/journal/files.ts'
import { journalFolder } from '../../../src/clicks/journal/open-journal.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts'
import { countAll, recordingLog, newReader } from '../clicks/ingest-rig.ts'

/** Counts all that is in a data folder's journal, whatever other processes do the same. Prints its errors. */
const dataDir = process.argv[2]!
const store = await openSqliteStore(dataDir, 'same-thread')
const log = recordingLog()
const reader = newReader(
  { store, clock: systemClock, files: realFiles, log },
  { folder: journalFolder(dataDir) },
)
await reader.findSegments()
await countAll(reader)
await store.close()
for (const error of log.errors()) console.log(error)
