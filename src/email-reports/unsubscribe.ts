import { isSignature, type Signed, signatureOf } from '../signing/signature.ts'
import type { CurrentDb, DurableDb } from '../store/handles.ts'

/** A user in a workspace. */
export type ReportReader = { workspaceId: number; userId: number }

/** Names the reader, and is signed with the secret of their choice. */
const TOKEN = /^([1-9]\d{0,15})\.([1-9]\d{0,15})\.([\w-]{43})$/

export const unsubscribeHref = (baseUrl: string, reader: ReportReader, secret: string): string =>
  `${baseUrl}/unsubscribe/${reader.workspaceId}.${reader.userId}.${signatureOf(signedFor(reader, secret))}`

const signedFor = ({ workspaceId, userId }: ReportReader, secret: string): Signed => ({
  subject: `unsubscribe ${workspaceId} ${userId}`,
  key: secret,
})

/** Whose emails a token ends. Undefined for a wrong one, and for a reader who is no member any more. */
export async function readerOfToken(db: CurrentDb, token: string): Promise<ReportReader | undefined> {
  const [, workspace, user, signature] = TOKEN.exec(token) ?? []
  if (signature === undefined) return undefined
  const reader = { workspaceId: Number(workspace), userId: Number(user) }
  const row = await db
    .selectFrom('email_reports')
    .select('secret')
    .where('workspace_id', '=', reader.workspaceId)
    .where('user_id', '=', reader.userId)
    .executeTakeFirst()
  return row !== undefined && isSignature(signature, signedFor(reader, row.secret)) ? reader : undefined
}

/** Once more changes nothing. */
export async function unsubscribe(db: DurableDb, { workspaceId, userId }: ReportReader): Promise<void> {
  await db
    .updateTable('email_reports')
    .set({ frequency: 'off', due_at: null })
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .execute()
}
