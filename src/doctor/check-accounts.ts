import { HOUR_US } from '../runtime/clock.ts'
import type { Config } from '../config/config.ts'
import type { CurrentDb } from '../store/handles.ts'
import { canSignIn } from '../workspaces/members.ts'
import { mailProblems } from './check-mail.ts'
import { type Problem, type Finding, findings, warning } from './finding.ts'

/** The job that removes them runs every minute. */
const REMOVED_WITHIN_US = HOUR_US

/** Whether there is an operator, emails can be delivered, and deleted accounts have been removed. */
export async function checkAccounts(
  db: CurrentDb,
  nowUs: number,
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'baseUrl'>,
): Promise<Finding[]> {
  const { users, operators, leftUsers } = await db
    .selectFrom('users')
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('closed_at', 'is', null).as('users'),
      eb.fn
        .countAll<number>()
        .filterWhere('role', '=', 'admin')
        .filterWhere('email_verified_at', 'is not', null)
        .filterWhere(canSignIn)
        .as('operators'),
      eb.fn
        .countAll<number>()
        .filterWhere('closed_at', '<', nowUs - REMOVED_WITHIN_US)
        .as('leftUsers'),
    ])
    .executeTakeFirstOrThrow()
  const { leftWorkspaces } = await db
    .selectFrom('workspaces')
    .select((eb) => eb.fn.countAll<number>().as('leftWorkspaces'))
    .where('closed_at', '<', nowUs - REMOVED_WITHIN_US)
    .executeTakeFirstOrThrow()
  const remains = Math.max(leftUsers, leftWorkspaces)
  const complaints: Problem[] = await mailProblems(config)
  if (users > 0 && operators === 0) {
    complaints.push(warning('No account is an operator. Make one with tern account role <email> admin.'))
  }
  if (remains > 0) {
    complaints.push(
      warning(`${remains} deleted accounts are not removed yet. Start the server and check its log.`),
    )
  }
  if (config.smtpUrl === undefined && config.baseUrl.startsWith('https:')) {
    complaints.push(
      warning(
        'SMTP_URL is not set: emails are stored in the outbox, and anyone who can read it can sign in as any user.',
      ),
    )
  }
  return findings('users', complaints, `${users} accounts, ${operators} of them operators.`)
}
