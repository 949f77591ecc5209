import { join } from 'node:path'
import type { CurrentDb } from '../../store/handles.ts'
import type { Files } from '../journal/files.ts'
import { foldersOf } from '../journal/folder-id.ts'
import { type DamagedHeads, findDamagedHeads, type RebuildDeps } from './rebuild-headers.ts'
import { readBatch } from '../journal/read-segment.ts'
import { decodeHeader, HEADER_BYTES, SEGMENT_SUFFIX, type SegmentHeader } from '../journal/segment.ts'
import { whenMissing } from '../../store/files/when-missing.ts'

/** Time for another process to write the header of a file that it has just created. */
const SETTLE_MS = 250
const PIECE_BYTES = 2 * 1024 * 1024

/** What the store and the folder know about a segment. */
export type SurveyedSegment = {
  segment: string
  previous: string
  /** Clicks that were journaled before it. */
  baseCount: number
  /** Clicks that are counted; records that could not be understood come beside them. */
  counted: number
  deadLetters: number
  isFinished: boolean
  /** 'gone' is normal for an old finished segment. */
  file: 'there' | 'in the trash' | 'gone'
  /** Records that are not counted yet. */
  waiting: number
  /** The number in its seal; undefined if it has none or the seal was not reached yet. */
  sealed: number | undefined
  /** The file is shorter than what was counted. */
  isShorter: boolean
}

type Counts = { clicks: number; dead_letters: number; missing_clicks: number }

export type JournalSurvey = {
  segments: SurveyedSegment[]
  /** Files that cannot be read as segments. */
  unreadable: string[]
  /** Files with a damaged header, which the next start rebuilds. They are among the segments. */
  damaged: string[]
  /** Shorter than a header, and not just being created. */
  empty: string[]
  /** Clicks and unreadable records from the folders of other machines. */
  countedElsewhere: number
  /** The highest ids in clicks that are not counted yet. */
  highestIds: { link: number; workspace: number }
}

type SurveyDeps = { db: CurrentDb; files: Files }

/**
 * Collects every segment in the store and in the folder, and reads what is not counted yet. Beside a running server nothing is
 * missed or seen twice, because the store is read before the folder.
 */
export async function surveyJournal({ db, files }: SurveyDeps, folder: string): Promise<JournalSurvey> {
  const folders = await foldersOf(files, folder)
  const rows = await db.selectFrom('journal_segments').selectAll().where('folder', 'in', folders).execute()
  const survey: JournalSurvey = {
    segments: [],
    unreadable: [],
    damaged: [],
    empty: [],
    countedElsewhere: await countedElsewhere(db, folders),
    highestIds: { link: 0, workspace: 0 },
  }
  const segmentFiles = [
    ...(await readHeaders(files, join(folder, 'trash'), survey)).map((file) => ({ ...file, isTrash: true })),
    ...(await readHeaders(files, folder, survey)).map((file) => ({ ...file, isTrash: false })),
    ...(await rebuildHeaders({ files, stored: async () => rows }, folder, survey)),
  ]
  const ends = new Map(segmentFiles.map(({ header }) => [header.previous, header.previousEnd]))
  const fileOf = new Map(segmentFiles.map((file) => [file.header.segment, file]))
  const rowOf = new Map(rows.map((row) => [row.segment, row]))
  for (const segment of new Set([...rowOf.keys(), ...fileOf.keys()])) {
    const row = rowOf.get(segment)
    const file = fileOf.get(segment)
    const position = row?.position ?? HEADER_BYTES
    const isFinished = typeof row?.finished_at === 'number'
    const isToBeRead = file !== undefined && !isFinished
    const rest = isToBeRead
      ? await readRest(files, file, { from: position, endMax: ends.get(segment) ?? Infinity })
      : NOTHING
    note(survey, rest)
    survey.segments.push({
      segment,
      previous: row?.previous_segment ?? file!.header.previous,
      baseCount: row?.base_count ?? file!.header.baseCount,
      counted: row?.clicks ?? 0,
      deadLetters: row?.dead_letters ?? 0,
      isFinished,
      file: file === undefined ? 'gone' : file.isTrash ? 'in the trash' : 'there',
      waiting: rest.waiting,
      sealed: isFinished ? finishedSeal(row) : rest.sealed,
      isShorter: isToBeRead && file.bytes < position,
    })
  }
  return survey
}

/** As the reader found it: a finished segment is not read again, and may have been removed. */
const finishedSeal = (row: Counts): number | undefined =>
  row.missing_clicks > 0 ? row.clicks + row.dead_letters + row.missing_clicks : undefined

async function countedElsewhere(db: CurrentDb, folders: readonly string[]): Promise<number> {
  const { clicks, letters } = await db
    .selectFrom('journal_segments')
    .select((eb) => [
      eb.fn.sum<number | null>('clicks').as('clicks'),
      eb.fn.sum<number | null>('dead_letters').as('letters'),
    ])
    .where('folder', 'not in', folders)
    .executeTakeFirstOrThrow()
  return Number(clicks ?? 0) + Number(letters ?? 0)
}

type FoundFile = { header: SegmentHeader; path: string; bytes: number }

async function readHeaders(files: Files, folder: string, survey: JournalSurvey): Promise<FoundFile[]> {
  const names = await files.list(folder).catch(whenMissing([]))
  const segmentFiles: FoundFile[] = []
  for (const name of names.filter((each) => each.endsWith(SEGMENT_SUFFIX))) {
    const path = join(folder, name)
    const head = await files.read(path, 0, HEADER_BYTES).catch(whenMissing(Buffer.alloc(0)))
    // Removed since the listing, or just being created.
    if (head.length < HEADER_BYTES) continue
    const header = decodeHeader(head)
    if (typeof header === 'string') survey.unreadable.push(path)
    else segmentFiles.push({ header, path, bytes: await files.sizeOf(path).catch(whenMissing(0)) })
  }
  return segmentFiles
}

/** Rebuilds headers in memory as the next start will on disk. */
async function rebuildHeaders(deps: RebuildDeps, folder: string, survey: JournalSurvey) {
  let { rebuilt, empty } = await findDamagedHeads(deps, folder).catch(whenMissing(NO_DAMAGE))
  if (empty.length > 0) {
    // A running server may just be creating one of them.
    await Bun.sleep(SETTLE_MS)
    const { empty: still } = await findDamagedHeads(deps, folder).catch(whenMissing(NO_DAMAGE))
    empty = empty.filter((path) => still.includes(path))
  }
  survey.damaged = rebuilt.map(({ path }) => path)
  survey.unreadable = survey.unreadable.filter((path) => !survey.damaged.includes(path))
  survey.empty = empty
  const files = rebuilt.map(async ({ path, header }) => {
    const bytes = await deps.files.sizeOf(path).catch(whenMissing(0))
    return { header, path, bytes, isTrash: false }
  })
  return Promise.all(files)
}

const NO_DAMAGE: DamagedHeads = { rebuilt: [], empty: [] }

type Rest = { waiting: number; sealed: number | undefined; link: number; workspace: number }

const NOTHING: Rest = { waiting: 0, sealed: undefined, link: 0, workspace: 0 }

async function readRest(
  files: Files,
  { path, bytes }: FoundFile,
  { from, endMax }: { from: number; endMax: number },
): Promise<Rest> {
  const rest = { ...NOTHING }
  const end = Math.min(bytes, endMax)
  for (let at = from; at < end;) {
    const piece = await files
      .read(path, at, Math.min(PIECE_BYTES, end - at))
      .catch(whenMissing(Buffer.alloc(0)))
    const isLast = at + piece.length >= end
    const batch = readBatch({ bytes: piece, offset: at, isLast }, Infinity)
    rest.waiting += batch.clicks.length + batch.deadLetters.length
    rest.sealed ??= batch.sealedClicks
    for (const { linkId, workspaceId } of batch.clicks) {
      rest.link = Math.max(rest.link, linkId)
      rest.workspace = Math.max(rest.workspace, workspaceId)
    }
    if (batch.position === at) break
    at = batch.position
  }
  return rest
}

function note({ highestIds }: JournalSurvey, { link, workspace }: Rest): void {
  highestIds.link = Math.max(highestIds.link, link)
  highestIds.workspace = Math.max(highestIds.workspace, workspace)
}
