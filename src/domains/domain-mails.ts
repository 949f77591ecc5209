import type { MemberRole } from '../access/roles-and-scopes.ts'
import type { EmailTemplate } from '../mail/email-template.ts'
import type { AnyDb } from '../store/handles.ts'

const ADMINS: MemberRole[] = ['admin', 'owner']

export const domainsHref = (baseUrl: string): string => `${baseUrl}/dashboard/domains`

/** One email for each admin of a workspace. */
export async function mailsToAdmins(
  db: AnyDb,
  workspaceId: number,
  write: (to: string) => EmailTemplate,
): Promise<EmailTemplate[]> {
  const admins = await db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select('users.email')
    .where('members.workspace_id', '=', workspaceId)
    .where('members.role', 'in', ADMINS)
    .where('users.email_verified_at', 'is not', null)
    .orderBy('users.id')
    .execute()
  return admins.map(({ email }) => write(email))
}
