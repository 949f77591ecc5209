import { join } from 'node:path'
import { decodeClick } from '../../src/clicks/journal/decode-click.ts'
import { journalFolder } from '../../src/clicks/journal/open-journal.ts'
import { closeFrame, FRAME_HEAD_BYTES, readFrame } from '../../src/clicks/journal/frame.ts'
import { decodeHeader, HEADER_BYTES, SEGMENT_SUFFIX } from '../../src/clicks/journal/segment.ts'
import type { OpeningLedger } from './opening-ledger.ts'
import { DATA_DIR, type Machine } from './program-run.ts'
import type { MachineFault } from './scenario.ts'
import { deletedCount } from './simulated-deletions.ts'
import type { DatabaseCopy } from './simulated-database.ts'
import type { DiskCopy } from './simulated-disk.ts'

/** A backup, and how many clicks were sent by then. */
export type Backup = {
  database: DatabaseCopy
  disk: DiskCopy
  clicksSent: number
  openings: ReturnType<OpeningLedger['copy']>
}

export function makeBackup({ database, disk, ledger }: Machine): Backup {
  const openings = ledger.openings.copy()
  return { database: database.copy(), disk: disk.copyAll(), clicksSent: ledger.clicks.length, openings }
}

const UNKNOWN_KIND = 9

/** Injects the fault and excuses the acknowledged clicks that may be missing because of it. */
export function inject(machine: Machine, machineFault: MachineFault, backup: Backup): void {
  machine.note(`machineFault: ${machineFault}`)
  if (machineFault.startsWith('older')) return restore(machine, machineFault, backup)
  const folder = journalFolder(DATA_DIR)
  const segments = machine.disk.list(folder).filter((name) => name.endsWith(SEGMENT_SUFFIX))
  const intact = segments
    .map((name) => join(folder, name))
    .filter((path) => framesOf(machine, path) !== undefined)
  if (intact.length === 0) return
  const path = machine.random.pick(intact)
  if (machineFault === 'bit rot') return flipOneBit(machine, path)
  if (machineFault === 'poison record') return poison(machine, path)
  machine.ledger.excuse(machineFault, clicksIn(framesOf(machine, path)!))
  machine.disk.unlink(path)
}

/** Restores the machine, or one of its disks, from a snapshot. */
function restore(machine: Machine, machineFault: MachineFault, backup: Backup): void {
  const isInJournal = (id: number) => id <= backup.clicksSent
  if (machineFault.includes('database')) {
    machine.database.restore(backup.database)
    // A link opens again for those who were led on since.
    machine.ledger.openings.restore(backup.openings)
    machine.ledger.deletedMin = deletedCount(machine.database)
  }
  if (!machineFault.includes('journal')) return
  const isAll = machineFault.includes('database')
  machine.disk.restore(backup.disk, isAll ? DATA_DIR : journalFolder(DATA_DIR))
  machine.ledger.excuse(machineFault, ({ id }) => !isInJournal(id))
}

function flipOneBit(machine: Machine, path: string): void {
  const { random, disk, ledger } = machine
  const frames = framesOf(machine, path)!
  const offset = random.below(disk.read(path).length)
  // A damaged header loses no click.
  const hit = frames.filter(({ start, end }) => offset >= start && offset < end)
  ledger.excuse('bit rot', clicksIn(hit))
  machine.note(`a bit flips in ${disk.labelOf(path)} at ${offset}`)
  const content = Buffer.from(disk.read(path))
  content[offset]! ^= 1 << random.below(8)
  disk.overwrite(path, content)
}

/** Replaces a click by a valid record of an unknown kind, as a newer version may write. */
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

/** Undefined if the file is not made of whole frames, because its contents are then uncertain. */
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
