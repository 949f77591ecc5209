import { join } from 'node:path'
import { decodeClick } from '../../src/clicks/click.ts'
import { journalFolder } from '../../src/clicks/open-journal.ts'
import {
  closeFrame,
  decodeHeader,
  FRAME_HEAD_BYTES,
  HEADER_BYTES,
  readFrame,
  SEGMENT_SUFFIX,
} from '../../src/clicks/segment.ts'
import { DATA_DIR, type Machine } from './program-run.ts'
import type { Mishap } from './scenario.ts'
import type { DatabaseCopy } from './simulated-database.ts'
import type { DiskCopy } from './simulated-disk.ts'

/** What an operator has put aside, and which clicks were sent by then. */
export type Backup = { database: DatabaseCopy; disk: DiskCopy; clicksSent: number }

export function makeBackup({ database, disk, ledger }: Machine): Backup {
  return { database: database.copy(), disk: disk.copyAll(), clicksSent: ledger.clicks.length }
}

const UNKNOWN_KIND = 9

/** Lets it happen, and notes which acknowledged clicks may be missing because of it. */
export function befall(machine: Machine, mishap: Mishap, backup: Backup): void {
  machine.note(`mishap: ${mishap}`)
  if (mishap.startsWith('older')) return restore(machine, mishap, backup)
  const folder = journalFolder(DATA_DIR)
  const segments = machine.disk.list(folder).filter((name) => name.endsWith(SEGMENT_SUFFIX))
  const intact = segments
    .map((name) => join(folder, name))
    .filter((path) => framesOf(machine, path) !== undefined)
  if (intact.length === 0) return
  const path = machine.random.pick(intact)
  if (mishap === 'bit rot') return flipOneBit(machine, path)
  if (mishap === 'poison record') return poison(machine, path)
  machine.ledger.excuse(mishap, clicksIn(framesOf(machine, path)!))
  machine.disk.unlink(path)
}

/** A snapshot of the machine, or of one of its disks, takes the place of what is there. */
function restore(machine: Machine, mishap: Mishap, backup: Backup): void {
  const isInJournal = (id: number) => id <= backup.clicksSent
  if (mishap.includes('database')) machine.database.restore(backup.database)
  if (!mishap.includes('journal')) return
  machine.disk.restore(backup.disk)
  machine.ledger.excuse(mishap, ({ id }) => !isInJournal(id))
}

function flipOneBit(machine: Machine, path: string): void {
  const { random, disk, ledger } = machine
  const frames = framesOf(machine, path)!
  const offset = random.below(disk.read(path).length)
  // Of a segment whose header is hit nothing is missing.
  const hit = frames.filter(({ start, end }) => offset >= start && offset < end)
  ledger.excuse('bit rot', clicksIn(hit))
  machine.note(`a bit flips in ${disk.labelOf(path)} at ${offset}`)
  const content = Buffer.from(disk.read(path))
  content[offset]! ^= 1 << random.below(8)
  disk.overwrite(path, content)
}

/** A record that is whole and means nothing, as one of a newer version would. */
function poison(machine: Machine, path: string): void {
  const { random, disk, ledger } = machine
  const clicks = framesOf(machine, path)!.filter(({ click }) => click !== undefined)
  if (clicks.length === 0) return
  const frame = random.pick(clicks)
  ledger.excuse('poison record', clicksIn([frame]))
  const content = Buffer.from(disk.read(path))
  content[frame.start + FRAME_HEAD_BYTES] = UNKNOWN_KIND
  closeFrame(content, frame.start, frame.end)
  disk.overwrite(path, content)
}

type Frame = { start: number; end: number; click: number | undefined }

/** Undefined where the file is not whole frames from its header to its end: what is in it cannot be told for sure. */
function framesOf({ disk }: Machine, path: string): Frame[] | undefined {
  const content = disk.read(path)
  if (typeof decodeHeader(content) === 'string') return undefined
  const frames: Frame[] = []
  for (let start = HEADER_BYTES; start < content.length;) {
    const payload = readFrame(content, start)
    if (typeof payload === 'string') return undefined
    const end = start + FRAME_HEAD_BYTES + payload.length
    frames.push({ start, end, click: decodeClick(payload)?.visitor })
    start = end
  }
  return frames
}

const clicksIn =
  (frames: Frame[]) =>
  ({ id }: { id: number }) =>
    frames.some(({ click }) => click === id)
