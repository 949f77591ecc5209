import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Change } from '../../rigs/program/changed-checkout.ts'

/** What a program runs on whose wall clock jumps and whose disk is slow or hangs. */
export class FaultyMachine {
  readonly changes: readonly Change[]
  readonly #offset: string
  readonly #isHanging: string

  constructor(folder: string, { writeMs = 0 }: { writeMs?: number } = {}) {
    this.#offset = join(folder, 'clock-offset')
    this.#isHanging = join(folder, 'disk-hangs')
    this.setClock(0)
    this.changes = machineChanges(this.#offset, this.#isHanging, writeMs)
  }

  /** So far off the right time. */
  setClock(offUs: number): void {
    writeFileSync(this.#offset, String(offUs))
  }

  hangDisk(): void {
    writeFileSync(this.#isHanging, '')
  }

  releaseDisk(): void {
    rmSync(this.#isHanging, { force: true })
  }
}

/** The wall clock is off by what the one file says, and the disk hangs while there is the other one. */
export const machineChanges = (offset: string, isHanging: string, writeMs: number): Change[] => [
  clockChange(offset),
  diskChange(isHanging, writeMs),
]

const clockChange = (offset: string): Change => ({
  path: 'src/runtime/clock.ts',
  of: 'Number(Temporal.Now.instant().epochNanoseconds / 1000n)',
  instead:
    'Number(Temporal.Now.instant().epochNanoseconds / 1000n) + ' +
    `Number(require('node:fs').readFileSync(${JSON.stringify(offset)}, 'utf8'))`,
})

const diskChange = (isHanging: string, writeMs: number): Change => ({
  path: 'src/clicks/journal/files.ts',
  of: '      new Promise((resolve, reject) => {\n        fs.write(',
  instead:
    '      new Promise(async (resolve, reject) => {\n' +
    `        if (${writeMs} > 0) await Bun.sleep(${writeMs})\n` +
    `        while (fs.existsSync(${JSON.stringify(isHanging)})) await Bun.sleep(5)\n` +
    '        fs.write(',
})
