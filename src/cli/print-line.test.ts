import { expect, test } from 'bun:test'
import { join } from 'node:path'

const FILE = join(import.meta.dir, 'print-line.ts')
const LINE_CHARS = 1_000_000
const SCRIPT = `import { printLine } from '${FILE}'
try { printLine('x'.repeat(${LINE_CHARS})) } catch (error) { console.error(error.constructor.name) }`

test('a line is printed whole, and to a reader that has gone it is no error', async () => {
  expect(await printed('')).toEqual({ chars: LINE_CHARS + 1, complaints: '' })
  expect(await printed('| head -c 10')).toEqual({ chars: 10, complaints: '' })
})

test('a line that is lost on a full disk is an error', async () => {
  expect(await printed('> /dev/full')).toEqual({ chars: 0, complaints: 'OutputLost' })
})

/** A line longer than a pipe holds, printed by a process of its own. */
async function printed(redirected: string) {
  const words = ['sh', '-c', `"$0" -e "$1" ${redirected}`, process.execPath, SCRIPT]
  const child = Bun.spawn(words, { stdout: 'pipe', stderr: 'pipe' })
  const [output, complaints] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { chars: output.length, complaints: complaints.trim() }
}
