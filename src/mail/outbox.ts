import { mkdirSync, readdirSync, unlinkSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import { mailLibrary } from './mail-library.ts'
import { type Letter, letterHtml, letterText } from './letter.ts'

/** The oldest go first: a mail that nobody fetched among so many is of no use any more. */
const FILES_MAX = 1_000

export type OutboxSettings = {
  folder: string
  from: string
  clock: Clock
  /** Says something to the operator, on the console. */
  print(line: string): void
}

/** Where mails go without a mail server: into files, which any mail program opens, and their links to the console. */
export function openOutbox({
  folder,
  from,
  clock,
  print,
}: OutboxSettings): (letter: Letter) => Promise<void> {
  let written = 0
  return async (letter) => {
    const { createTransport } = await mailLibrary()
    const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' }, { from })
    const { message } = await composer.sendMail(mailOf(letter))
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, `${fileTime(clock)}-${String(++written).padStart(4, '0')}.eml`)
    // Under its name only when it is whole: somebody may be waiting for it.
    await writeFile(`${path}.next`, message, { mode: 0o600 })
    await rename(`${path}.next`, path)
    removeOldest(folder)
    print(`Email for ${letter.to}: ${letter.subject}${letter.action ? `\n  ${letter.action.href}` : ''}`)
  }
}

/** As nodemailer takes it. */
export const mailOf = (letter: Letter) => ({
  to: { name: '', address: letter.to },
  subject: letter.subject,
  text: letterText(letter),
  html: letterHtml(letter),
  // RFC 3834: no vacation answers; what is mailed here concerns one person.
  headers: { 'Auto-Submitted': 'auto-generated' },
  // Nothing of a letter names a file or an address to fetch from.
  disableFileAccess: true,
  disableUrlAccess: true,
})

/** Sorts by time: `20261121T093000`. */
const fileTime = (clock: Clock) =>
  new Date(clock.nowUs() / 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')

function removeOldest(folder: string): void {
  const mails = readdirSync(folder).filter((name) => name.endsWith('.eml'))
  for (const name of mails.sort().slice(0, Math.max(0, mails.length - FILES_MAX)))
    unlinkSync(join(folder, name))
}
