import { constants, setPriority } from 'node:os'
import { access, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
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
      void files().catch((error) => log.error('The dashboard was not built.', describeError(error))),
  }
}

async function readBuild(checkout: string): Promise<readonly PackedFile[]> {
  const embedded = Bun.embeddedFiles.find((file) =>
    EMBEDDED_NAME.test((file as Blob & { name: string }).name),
  )
  if (embedded !== undefined) return embedded.json()
  const fileName = `dashboard-${await sourceHash(checkout)}.json`
  const kept = Bun.file(join(checkout, 'dist', fileName))
  if (await kept.exists()) return kept.json()
  const folder = await writableFolder(join(checkout, 'dist'))
  const path = join(folder, fileName)
  await build(checkout, path)
  const built: readonly PackedFile[] = await Bun.file(path).json()
  if (folder === dirname(kept.name!)) await removeOlder(folder, fileName)
  else await rm(folder, { recursive: true })
  return built
}

/** The checkout may belong to somebody else; then the build is made anew at each start, where nobody else can write. */
async function writableFolder(wanted: string): Promise<string> {
  try {
    await mkdir(wanted, { recursive: true })
    await access(wanted, W_OK)
    return wanted
  } catch {
    return mkdtemp(join(tmpdir(), 'tern-dashboard-'))
  }
}

const W_OK = 2

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
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
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
