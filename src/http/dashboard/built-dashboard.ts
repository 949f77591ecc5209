import { access, constants, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { constants as osConstants, setPriority, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describeError, type Log } from '../../log.ts'
import type { PackedFile } from './packed-file.ts'
import { sourceHash } from './source-hash.ts'

const CHECKOUT = dirname(dirname(dirname(import.meta.dir)))
const BUILD_SCRIPT = 'dashboard/build/build-dashboard.ts'

/** One executable carries the build inside itself, under this name. */
const EMBEDDED_NAME = /(^|\/)dashboard-\w+\.json$/

export type BuiltDashboard = {
  /** The files of the build; the first call has it made where there is none. */
  files(): Promise<readonly PackedFile[]>
  /** Begins without waiting, so that nobody has to wait later. */
  warm(): void
}

/**
 * The dashboard as it is served. From a checkout it is built by another process, in the background: neither its time
 * nor its memory belongs to the service. The result stays in dist/, so it is made once for each state of the sources.
 */
export function builtDashboard(log: Log, checkout: string = CHECKOUT): BuiltDashboard {
  let underWay: Promise<readonly PackedFile[]> | undefined
  const files = () => {
    underWay ??= readBuild(checkout).catch((error: unknown) => {
      // The next request tries again.
      underWay = undefined
      throw error
    })
    return underWay
  }
  return {
    files,
    warm: () =>
      void files().catch((error) => log.error('Could not build the dashboard.', describeError(error))),
  }
}

async function readBuild(checkout: string): Promise<readonly PackedFile[]> {
  const embedded = Bun.embeddedFiles.find((file) =>
    EMBEDDED_NAME.test((file as Blob & { name: string }).name),
  )
  if (embedded !== undefined) return embedded.json()
  const dist = join(checkout, 'dist')
  const fileName = `dashboard-${await sourceHash(checkout)}.json`
  const kept = join(dist, fileName)
  if (await Bun.file(kept).exists()) return Bun.file(kept).json()
  if (!(await canWrite(dist))) return buildForThisStart(checkout, fileName)
  await build(checkout, kept)
  await removeOlder(dist, fileName)
  // Asked anew: the file that did not exist remembers that it was empty.
  return Bun.file(kept).json()
}

/** The checkout may belong to somebody else; then the build is made where nobody else can write, read, and removed. */
async function buildForThisStart(checkout: string, fileName: string): Promise<readonly PackedFile[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tern-dashboard-'))
  try {
    await build(checkout, join(folder, fileName))
    return await Bun.file(join(folder, fileName)).json()
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function canWrite(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

async function build(checkout: string, path: string): Promise<void> {
  const child = Bun.spawn([process.execPath, join(checkout, BUILD_SCRIPT), path], {
    cwd: checkout,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  // Told to stop, the service does not wait for it; visitors come first on the processor too.
  child.unref()
  lowerPriority(child.pid)
  const errors = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`${BUILD_SCRIPT} failed: ${errors.trim()}`)
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, osConstants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It may have ended already.
  }
}

async function removeOlder(folder: string, fileName: string): Promise<void> {
  const older = (await readdir(folder)).filter(
    (name) => /^dashboard-\w+\.json$/.test(name) && name !== fileName,
  )
  await Promise.all(older.map((name) => rm(join(folder, name), { force: true })))
}
