import { expect, test } from 'bun:test'
import { useFolders } from '../../../test/rigs/use-rig.ts'
import { openTestStore } from '../../../test/rigs/store/test-store.ts'
import type { EmailTemplate } from '../../mail/email-template.ts'
import { HOUR_US, manualClock } from '../../runtime/clock.ts'
import { addUser } from '../../../test/rigs/service/add-user.ts'
import { ReportMails } from './report-mails.ts'

const folders = useFolders()

test('the next email says how many reports were not mailed, and phishing has emails of its own', async () => {
  const store = await openTestStore(folders.make())
  const clock = manualClock(1_000_000)
  const account = { email: 'boss@example.com', name: 'Boss' }
  await addUser({ db: store.db, clock }, account)
  await store.db.updateTable('users').set({ role: 'admin' }).where('email', '=', account.email).execute()
  const letters: EmailTemplate[] = []
  const mails = { post: (letter: EmailTemplate) => void letters.push(letter) }
  const reportMails = new ReportMails({ db: store.db, clock, baseUrl: 'https://s.example', mails })
  const report = { shortUrl: 'https://s.example/launch', reason: 'spam', message: '' } as const
  for (let i = 0; i < 8; i++) await reportMails.tell(report)
  expect(letters.map(({ to }) => to)).toEqual(Array(5).fill(account.email))
  clock.advance(HOUR_US)
  await reportMails.tell(report)
  expect(letters.at(-1)!.paragraphs.at(-1)).toBe('3 more reports have come in since the last email.')
  await reportMails.tell(report)
  expect(letters.at(-1)!.paragraphs).toHaveLength(2)
  for (let i = 0; i < 8; i++) await reportMails.tell(report)
  const before = letters.length
  await reportMails.tell({ ...report, reason: 'phishing' })
  expect(letters).toHaveLength(before + 1)
  await store.close()
})
