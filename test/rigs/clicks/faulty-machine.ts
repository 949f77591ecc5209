import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { changedCheckout } from '../program/changed-checkout.ts'

/** A program whose wall clock can be set while it runs. */
export function machineWithClock(folder: string): { root: string; setOff(us: number): void } {
  const offset = join(folder, 'clock-offset')
  const root = changedCheckout(folder, {
    path: 'src/runtime/clock.ts',
    of: 'Number(Temporal.Now.instant().epochNanoseconds / 1000n)',
    instead:
      'Number(Temporal.Now.instant().epochNanoseconds / 1000n) + ' +
      `Number(require('node:fs').readFileSync(${JSON.stringify(offset)}, 'utf8'))`,
  })
  const setOff = (us: number) => writeFileSync(offset, String(us))
  setOff(0)
  return { root, setOff }
}

/** A program whose disk hangs on request, and is slow otherwise. */
export function machineWithDisk(
  folder: string,
  writeMs: number,
): { root: string; hang(): void; letGo(): void } {
  const hanging = join(folder, 'disk-hangs')
  const root = changedCheckout(folder, {
    path: 'src/clicks/journal/files.ts',
    of: '      new Promise((resolve, reject) => {\n        fs.write(',
    instead:
      '      new Promise(async (resolve, reject) => {\n' +
      `        await Bun.sleep(${writeMs})\n` +
      `        while (fs.existsSync(${JSON.stringify(hanging)})) await Bun.sleep(5)\n` +
      '        fs.write(',
  })
  return { root, hang: () => writeFileSync(hanging, ''), letGo: () => rmSync(hanging, { force: true }) }
}
