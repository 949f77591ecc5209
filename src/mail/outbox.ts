import { mkdirSync, readdirSync, unlinkSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../runtime/clock.ts'
import { mailLibrary } from './mail-library.ts'
import { type EmailTemplate, emailHtml, emailText } from './email-template.ts'

/** The oldest are removed: their links have expired long before. */
const FILES_MAX = 1_000

export type OutboxSettings = {
  folder: string
  from: string
  clock: Clock
  /** To the operator's console. */
  print(line: string): void
}

/** Without a mail server, emails become files, and their links are printed on the console. */
export function openOutbox({
  folder,
  from,
  clock,
  print,
}: OutboxSettings): (email: EmailTemplate) => Promise<void> {
  let written = 0
  return async (email) => {
    const { createTransport } = await mailLibrary()
    const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' }, { from })
    const { message } = await composer.sendMail(mailOf(email))
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, `${fileTime(clock)}-${String(++written).padStart(4, '0')}.eml`)
    // Renamed when complete, because somebody may be waiting for it.
    await writeFile(`${path}.next`, message, { mode: 0o600 })
    await rename(`${path}.next`, path)
    removeOldest(folder)
    print(`Email for ${email.to}: ${email.subject}${email.action ? `\n  ${email.action.href}` : ''}`)
  }
}

export const mailOf = (email: EmailTemplate) => ({
  to: { name: '', address: email.to },
  subject: email.subject,
  text: emailText(email),
  html: emailHtml(email),
  ...(email.messageId === undefined ? {} : { messageId: email.messageId }),
  // RFC 3834: no automatic replies.
  headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(email) },
  // No part of an email may make the library read a file or fetch a URL.
  disableFileAccess: true,
  disableUrlAccess: true,
})

/** RFC 8058: mail programs show a button that needs no page. */
const unsubscribeHeaders = ({ unsubscribeHref: href }: EmailTemplate): Record<string, string> =>
  href === undefined
    ? {}
    : { 'List-Unsubscribe': `<${href}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }

/** `20261121T093000` */
const fileTime = (clock: Clock) =>
  new Date(clock.nowUs() / 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')

function removeOldest(folder: string): void {
  const mails = readdirSync(folder).filter((name) => name.endsWith('.eml'))
  for (const name of mails.sort().slice(0, Math.max(0, mails.length - FILES_MAX)))
    unlinkSync(join(folder, name))
}
