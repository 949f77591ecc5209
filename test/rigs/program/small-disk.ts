import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk of its own, so small that a test can fill it. */
export type SmallDisk = { folder: string; fill(): void; free(): void; unmount(): void }

const PIECE = Buffer.alloc(64 * 1024, 1)

/** Undefined where no disk may be mounted, as for anybody but root. */
export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'tern-disk-'))
  const mounted = run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder)
  if (!mounted) {
    rmdirSync(folder)
    return undefined
  }
  const ballast = join(folder, 'ballast')
  return {
    folder,
    fill: () => fill(ballast),
    free: () => rmSync(ballast, { force: true }),
    unmount() {
      run('umount', folder)
      rmdirSync(folder)
    },
  }
}

function run(...command: string[]): boolean {
  try {
    return Bun.spawnSync(command, { stdout: 'ignore', stderr: 'ignore' }).success
  } catch {
    return false // there is no such program
  }
}

/** To the last byte: smaller and smaller pieces until none is taken. */
function fill(path: string): void {
  const file = openSync(path, 'a')
  for (let bytes = PIECE.length; bytes >= 1; bytes = Math.floor(bytes / 2)) {
    try {
      while (writeSync(file, PIECE, 0, bytes) === bytes);
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENOSPC') throw error
    }
  }
  closeSync(file)
}
