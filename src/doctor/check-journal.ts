import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { realFiles } from '../clicks/journal/files.ts'
import { journalFolder } from '../clicks/journal/open-journal.ts'
import { type Reconciliation, reconcileJournal } from '../clicks/repair/reconcile-journal.ts'
import { type JournalSurvey, surveyJournal } from '../clicks/repair/survey-journal.ts'
import type { CurrentDb } from '../store/handles.ts'
import { type Problem, fault, type Finding, findings, warning } from './finding.ts'

const SEGMENTS_NAMED_MAX = 5

/** Accounts for every click that was ever journaled. */
export async function checkJournal(db: CurrentDb, dataDir: string): Promise<Finding[]> {
  const folder = journalFolder(dataDir)
  if (!existsSync(folder))
    return findings('journal', await goneComplaints(db, folder), 'No click was journaled yet.')
  const survey = await surveyJournal({ db, files: realFiles }, folder)
  const journal = reconcileJournal(survey.segments)
  const { journaled, counted, deadLetters, waiting, missing } = journal
  const sum = `${journaled} clicks journaled: ${counted} counted, ${waiting} waiting, ${deadLetters} dead letters, ${missing} missing.`
  const complaints = [...clickComplaints(journal), ...fileComplaints(survey, folder)]
  return [
    { check: 'journal', severity: 'ok', message: sum },
    ...(complaints.length > 0 ? findings('journal', complaints, '') : []),
  ]
}

/** Without the folder's ID, nothing says which segments of the database were in it. */
async function goneComplaints(db: CurrentDb, folder: string): Promise<Problem[]> {
  const segments = await db.selectFrom('journal_segments').select('segment').limit(1).execute()
  const message = `The journal folder ${folder} is gone. Put it back before the next start: clicks that were not counted yet are only there.`
  return segments.length === 0 ? [] : [fault(message)]
}

function clickComplaints({ missing, surplus, inTrash, deadLetters, gaps }: Reconciliation): Problem[] {
  const complaints: Problem[] = []
  if (missing > 0) {
    const names = gaps.slice(0, SEGMENTS_NAMED_MAX).map((gap) => `${gap.missing} of ${gap.segment}`)
    const more = gaps.length > names.length ? ` and ${gaps.length - names.length} more segments` : ''
    complaints.push(
      fault(
        `${missing} clicks are missing: ${names.join(', ')}${more}. If you have the files, put them back into the journal folder.`,
      ),
    )
  }
  if (surplus > 0) {
    complaints.push(
      warning(
        `${surplus} more clicks are counted than the journal says there were: its folder is older than the database.`,
      ),
    )
  }
  if (inTrash > 0) {
    complaints.push(
      fault(
        `${inTrash} uncounted clicks are in journal/trash. Move the files into the journal folder and drop everything before the first hyphen of their names.`,
      ),
    )
  }
  if (deadLetters > 0) {
    complaints.push(
      warning(`${deadLetters} records could not be read; they are kept in journal/dead-letters.`),
    )
  }
  return complaints
}

function fileComplaints({ segments, unreadable, damaged, empty }: JournalSurvey, folder: string): Problem[] {
  const gone = segments.filter(({ isFinished, file }) => !isFinished && file === 'gone')
  const last = segments.reduce((most, { baseCount }) => Math.max(most, baseCount), 0)
  return [
    // For others, the next segment says how many clicks are missing.
    ...gone
      .filter(({ baseCount }) => baseCount === last)
      .map(({ segment }) =>
        fault(
          `Segment ${segment} disappeared before all its clicks were counted; how many are missing is unknown.`,
        ),
      ),
    ...segments
      .filter(({ isShorter }) => isShorter)
      .map(({ segment }) =>
        fault(`Segment ${segment} is shorter than what was counted from it: it is from an older copy.`),
      ),
    ...damaged.map((path) =>
      fault(`The header of ${path} is damaged; the next start rebuilds it and counts its clicks.`),
    ),
    ...empty.map((path) =>
      warning(`${path} is empty: its process was killed while creating it, or the disk lost its contents.`),
    ),
    ...unreadable.map((path) => fault(`${path} cannot be read as a journal segment.`)),
    ...quarantined(folder),
  ]
}

function quarantined(folder: string): Problem[] {
  try {
    const copies = readdirSync(join(folder, 'quarantine')).length
    return copies === 0
      ? []
      : [warning(`${copies} damaged segments are kept in journal/quarantine. Check the disk.`)]
  } catch {
    return []
  }
}
