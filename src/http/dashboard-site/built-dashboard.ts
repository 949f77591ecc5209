import { access, constants, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { constants as osConstants, setPriority, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describeError, type Log } from '../../runtime/log.ts'
import type { PackedFile } from './compressed-file.ts'
import { sourceHash } from './source-hash.ts'

const CHECKOUT = dirname(dirname(dirname(import.meta.dir)))
const BUILD_SCRIPT = 'dashboard/build/build-dashboard.ts'

/** The name of the build embedded in the executable. */
const EMBEDDED_NAME = /(^|\/)dashboard-\w+\.json$/

export type BuiltDashboard = {
  /** The files of the build. The first call builds them if there is no build. */
  files(): Promise<readonly PackedFile[]>
  /** Starts the build without waiting for it. */
  warm(): void
}

/**
 * The dashboard as it is served. From a checkout, a separate process builds it in the background, so the service pays
 * neither its time nor its memory. The result stays in dist/ and is reused until the sources change.
 */
export function builtDashboard(log: Log, checkout: string = CHECKOUT): BuiltDashboard {
  let underWay: Promise<readonly PackedFile[]> | undefined
  const files = () => {
    underWay ??= readBuild(checkout, log).catch((error: unknown) => {
      // The next request retries.
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

async function readBuild(checkout: string, log: Log): Promise<readonly PackedFile[]> {
  const embedded = Bun.embeddedFiles.find((file) =>
    EMBEDDED_NAME.test((file as Blob & { name: string }).name),
  )
  if (embedded !== undefined) return embedded.json()
  const dist = join(checkout, 'dist')
  const fileName = `dashboard-${await sourceHash(checkout)}.json`
  const builtFile = Bun.file(join(dist, fileName))
  if (await builtFile.exists()) return builtFile.json()
  log.info('Building the dashboard. Its pages are served when it is done.')
  const files = (await canWrite(dist))
    ? await buildToKeep(checkout, dist, fileName)
    : await buildForThisStart(checkout, fileName)
  log.info('The dashboard is built.')
  return files
}

async function buildToKeep(checkout: string, dist: string, fileName: string): Promise<readonly PackedFile[]> {
  const path = join(dist, fileName)
  await build(checkout, path)
  await removeOlder(dist, fileName)
  return Bun.file(path).json()
}

/** If the checkout is not writable, the build goes to a private temporary folder, is read, and is removed. */
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
  // With a lower priority than redirects. When the service stops, it does not wait for the build.
  child.unref()
  lowerPriority(child.pid)
  const errors = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`${BUILD_SCRIPT} failed: ${errors.trim()}`)
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, osConstants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It may have ended by itself.
  }
}

async function removeOlder(folder: string, fileName: string): Promise<void> {
  const older = (await readdir(folder)).filter(
    (name) => /^dashboard-\w+\.json$/.test(name) && name !== fileName,
  )
  await Promise.all(older.map((name) => rm(join(folder, name), { force: true })))
}
