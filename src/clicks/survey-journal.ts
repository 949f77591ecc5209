import { join } from 'node:path'
import type { Db } from '../store/open-store.ts'
import type { Files } from './files.ts'
import { foldersOf } from './folder-id.ts'
import { type DamagedHeads, findDamagedHeads, type RebuildDeps } from './rebuild-headers.ts'
import { readBatch } from './read-segment.ts'
import { decodeHeader, HEADER_BYTES, SEGMENT_SUFFIX, type SegmentHeader } from './segment.ts'

/** To make a file and write its header takes a moment. */
const SETTLE_MS = 250
const PIECE_BYTES = 2 * 1024 * 1024

/** A segment as far as the store and the folder know it. */
export type SurveyedSegment = {
  segment: string
  previous: string
  /** Clicks that had been journaled before it. */
  baseCount: number
  /** Clicks and records not understood that the store has of it. */
  counted: number
  deadLetters: number
  isFinished: boolean
  /** 'gone' is as it should be for one that is finished and old. */
  file: 'there' | 'in the trash' | 'gone'
  /** Records behind what was counted. */
  waiting: number
  /** What the seal says of the whole segment; undefined where it was not read. */
  sealed: number | undefined
  /** It is shorter than what was counted of it. */
  isShorter: boolean
}

export type JournalSurvey = {
  segments: SurveyedSegment[]
  /** Files that cannot be read as segments. */
  unreadable: string[]
  /** Their headers are damaged, and rebuilt at the next start; they are among the segments. */
  damaged: string[]
  /** Shorter than a header, and not just being made. */
  empty: string[]
  /** Clicks, and records not understood, that the store has of other folders: of machines that are gone. */
  countedElsewhere: number
  /** Among the clicks that wait. */
  highestIds: { link: number; account: number }
}

type SurveyDeps = { db: Db; files: Files }

/**
 * What there is of every segment, in the store and in the folder. Reads only what is not counted yet. Beside a running
 * server nothing is missed or seen twice, because the store is asked before the folder.
 */
export async function surveyJournal({ db, files }: SurveyDeps, folder: string): Promise<JournalSurvey> {
  const folders = await foldersOf(files, folder)
  const rows = await db.selectFrom('journal_segments').selectAll().where('folder', 'in', folders).execute()
  const survey: JournalSurvey = {
    segments: [],
    ...{ unreadable: [], damaged: [], empty: [] },
    countedElsewhere: await countedElsewhere(db, folders),
    highestIds: { link: 0, account: 0 },
  }
  const found = [
    ...(await readHeaders(files, join(folder, 'trash'), survey)).map((file) => ({ ...file, isTrash: true })),
    ...(await readHeaders(files, folder, survey)).map((file) => ({ ...file, isTrash: false })),
    ...(await rebuildHeaders({ files, stored: async () => rows }, folder, survey)),
  ]
  const ends = new Map(found.map(({ header }) => [header.previous, header.previousEnd]))
  const fileOf = new Map(found.map((file) => [file.header.segment, file]))
  const rowOf = new Map(rows.map((row) => [row.segment, row]))
  for (const segment of new Set([...rowOf.keys(), ...fileOf.keys()])) {
    const [row, file] = [rowOf.get(segment), fileOf.get(segment)]
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
      sealed: rest.sealed,
      isShorter: isToBeRead && file.bytes < position,
    })
  }
  return survey
}

async function countedElsewhere(db: Db, folders: readonly string[]): Promise<number> {
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
  const found: FoundFile[] = []
  for (const name of names.filter((each) => each.endsWith(SEGMENT_SUFFIX))) {
    const path = join(folder, name)
    const head = await files.read(path, 0, HEADER_BYTES).catch(whenMissing(Buffer.alloc(0)))
    // Removed meanwhile, or just being made.
    if (head.length < HEADER_BYTES) continue
    const header = decodeHeader(head)
    if (typeof header === 'string') survey.unreadable.push(path)
    else found.push({ header, path, bytes: await files.sizeOf(path).catch(whenMissing(0)) })
  }
  return found
}

/** As the next start will; what it leaves to people stays unreadable. */
async function rebuildHeaders(deps: RebuildDeps, folder: string, survey: JournalSurvey) {
  let { rebuilt, empty } = await findDamagedHeads(deps, folder).catch(whenMissing(NO_DAMAGE))
  if (empty.length > 0) {
    // Beside a server, one of them may be just being made.
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

type Rest = { waiting: number; sealed: number | undefined; link: number; account: number }

const NOTHING: Rest = { waiting: 0, sealed: undefined, link: 0, account: 0 }

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
    for (const { linkId, accountId } of batch.clicks) {
      rest.link = Math.max(rest.link, linkId)
      rest.account = Math.max(rest.account, accountId)
    }
    if (batch.position === at) break
    at = batch.position
  }
  return rest
}

function note({ highestIds }: JournalSurvey, { link, account }: Rest): void {
  highestIds.link = Math.max(highestIds.link, link)
  highestIds.account = Math.max(highestIds.account, account)
}

/** For a file or folder that somebody removes meanwhile. */
const whenMissing =
  <Value>(value: Value) =>
  (error: unknown): Value => {
    if ((error as { code?: string }).code !== 'ENOENT') throw error
    return value
  }
