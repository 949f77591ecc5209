import { realFiles } from '../../clicks/journal/files.ts'
import { journalFolder } from '../../clicks/journal/open-journal.ts'
import { surveyJournal } from '../../clicks/repair/survey-journal.ts'
import { type CodeLogState, openCodeLog } from '../../codes/log/open-code-log.ts'
import type { Log } from '../../runtime/log.ts'
import type { Store } from '../../store/open-store.ts'

type OpenCodesDeps = Pick<Store, 'db'> & { log: Log; dataDir: string }

/** The code log of this data folder, compared with the database and the journal beside it. */
export function openCodes({ db, log, dataDir }: OpenCodesDeps, isDistrusted: boolean): Promise<CodeLogState> {
  const uncountedIds = async () =>
    (await surveyJournal({ db, files: realFiles }, journalFolder(dataDir))).highestIds
  return openCodeLog({ db, log, uncountedIds, isDistrusted }, dataDir)
}
