import type { Caller } from '../access/caller.ts'
import { invalid, Refusal } from '../errors/refusal.ts'
import { hashLinkPasswords, type LinkPasswordHasher } from '../links/link-password.ts'
import type { Clock } from '../runtime/clock.ts'
import { lock, readLocked } from '../store/engine-sql.ts'
import type { DurableDb, Tx } from '../store/handles.ts'
import { transact } from '../store/transact.ts'
import { hashSecret, newSecret } from '../users/tokens/secret-text.ts'
import type { NewShare } from './share-fields.ts'
import {
  findSubject,
  recordShareChange,
  type Share,
  shareChanges,
  type SharePlace,
  type ShareSubject,
  subjectColumn,
  toShare,
} from './share.ts'

/** Each can be read once a minute by everybody who knows it. */
const SHARES_OF_WORKSPACE_MAX = 1_000

export type ShareDeps = {
  db: DurableDb
  clock: Pick<Clock, 'nowUs'>
  passwords: LinkPasswordHasher
}

/** The signal ends the wait for a hash when the client has gone away. */
export type ShareRequest<Input> = { place: SharePlace; input: Input; signal?: AbortSignal }

/** Shares the statistics under a new URL. Refused if they are shared already. */
export async function createShare(
  deps: ShareDeps,
  caller: Caller,
  { place, input, signal }: ShareRequest<NewShare>,
): Promise<Share> {
  const { db, clock } = deps
  refusePastEnd(clock.nowUs(), input.ends_at)
  const { workspaceId } = caller
  const passwordHash = (await hashedPassword(deps, { workspaceId, signal }, input.password)) ?? null
  return transact(db, async (tx) => {
    await lock(tx, `shares of workspace ${workspaceId}`)
    const subject = await lockedSubject(tx, caller, place)
    await refuseTooMany(tx, workspaceId)
    const nowUs = clock.nowUs()
    const row = await tx
      .insertInto('shares')
      .values({
        workspace_id: workspaceId,
        [subjectColumn(subject)]: subject.id,
        ...newSecretColumns(),
        panels: JSON.stringify(input.panels),
        ends_at: input.ends_at ?? null,
        password_hash: passwordHash,
        created_at: nowUs,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
    if (row === undefined) throw new Refusal('share_exists', 'The statistics are shared already.')
    const changes = shareChanges(undefined, row)
    await recordShareChange(tx, caller, { subject, nowUs, what: 'shared', changes })
    return toShare(row)
  })
}

export function newSecretColumns() {
  const secret = newSecret()
  return { secret, secret_hash: hashSecret(secret) }
}

export function refusePastEnd(nowUs: number, endsAtUs: number | null | undefined): void {
  if (endsAtUs != null && endsAtUs <= nowUs) throw invalid({ ends_at: ['The end must be in the future.'] })
}

type Hashing = { workspaceId: number; signal: AbortSignal | undefined }

/** Hashed like the passwords of links, whose share of the processor it takes. Undefined: it stays as it is. */
export async function hashedPassword(
  { passwords }: Pick<ShareDeps, 'passwords'>,
  hashing: Hashing,
  password: string | null | undefined,
): Promise<string | null | undefined> {
  const [hashed] = await hashLinkPasswords(passwords, hashing, [{ password }])
  return hashed!.password_hash
}

/** Nobody removes it before the transaction ends. */
async function lockedSubject(tx: Tx, caller: Caller, place: SharePlace): Promise<ShareSubject> {
  const { kind, id } = await findSubject({ db: tx }, caller, place)
  const rows = tx.selectFrom(kind === 'link' ? 'links' : 'labels').select('id')
  await readLocked(tx, rows.where('id', '=', id)).execute()
  // Again: it may have been removed until it was locked.
  return findSubject({ db: tx }, caller, place)
}

async function refuseTooMany(tx: Tx, workspaceId: number): Promise<void> {
  const { count } = await tx
    .selectFrom('shares')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= SHARES_OF_WORKSPACE_MAX)
    throw new Refusal(
      'limit_reached',
      `A workspace can share the statistics of ${SHARES_OF_WORKSPACE_MAX} links, tags and folders. Stop sharing others first.`,
    )
}
