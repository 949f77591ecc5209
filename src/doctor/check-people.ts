import { HOUR_US } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Db } from '../store/open-store.ts'
import { type Complaint, type Finding, findings, warning } from './finding.ts'

/** The job that removes them runs every minute. */
const REMOVED_WITHIN_US = HOUR_US

/** Whether anybody can keep order, mails can reach people, and accounts that were deleted are gone. */
export async function checkPeople(
  db: Db,
  nowUs: number,
  { smtpUrl, baseUrl }: Pick<Config, 'smtpUrl' | 'baseUrl'>,
): Promise<Finding[]> {
  const { accounts, operators, left } = await db
    .selectFrom('accounts')
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('closed_at', 'is', null).as('accounts'),
      eb.fn
        .countAll<number>()
        .filterWhere('role', '=', 'admin')
        .filterWhere('email_verified_at', 'is not', null)
        .filterWhere('suspended_at', 'is', null)
        .as('operators'),
      eb.fn
        .countAll<number>()
        .filterWhere('closed_at', '<', nowUs - REMOVED_WITHIN_US)
        .as('left'),
    ])
    .executeTakeFirstOrThrow()
  const complaints: Complaint[] = []
  if (accounts > 0 && operators === 0) {
    complaints.push(warning('No account is an operator. Make one with tern account role <email> admin.'))
  }
  if (left > 0) {
    complaints.push(
      warning(`${left} deleted accounts are not removed yet. Start the server and check its log.`),
    )
  }
  if (smtpUrl === undefined && baseUrl.startsWith('https:')) {
    complaints.push(
      warning(
        'SMTP_URL is not set: emails are stored in the outbox, and anyone who can read it can sign in as any user.',
      ),
    )
  }
  return findings('people', complaints, `${accounts} accounts, ${operators} of them operators.`)
}
