import type { Caller } from '../caller.ts'
import type { Clock } from '../clock.ts'
import { type FieldErrors, invalid } from '../refusal.ts'
import type { Db } from '../store/open-store.ts'
import { transact } from '../store/transact.ts'
import { countLinks } from './count-links.ts'
import type { DestinationRules } from './destination.ts'
import { noSuchLink } from './find-link.ts'
import type { LinkChanges } from './link.ts'
import { writeLinkTexts } from './link-text.ts'
import { activeFaults, readUrlField } from './new-link.ts'
import { titleFaults } from './title.ts'

export type EditLinkDeps = { db: Db; clock: Clock; changes: LinkChanges }

/** What is to change; undefined stays as it is. */
export type LinkEdit = {
  destination: { originalUrl: string; targetUrl: string } | undefined
  title: string | undefined
  isActive: boolean | undefined
}

/** Reads the fields of an edit of the link with this code. Read-only and unknown fields are ignored, never applied. */
export function readLinkEdit(
  { code, input }: { code: string; input: Record<string, unknown> },
  rules: DestinationRules,
): LinkEdit {
  const fields: FieldErrors = {}
  const note = (field: string, faults: string[]) => void (faults.length > 0 && (fields[field] = faults))
  const { original_url: original, url, title, is_active: isActive, custom_code: customCode } = input
  if (original !== undefined && url !== undefined && original !== url) {
    note('url', ['The url and original url must be the same when both are sent.'])
  }
  const field = original === undefined ? 'url' : 'original_url'
  const value = original === undefined ? url : original
  const destination = value === undefined ? undefined : readUrlField({ field, value }, rules, fields)
  if (title !== undefined && title !== null) note('title', titleFaults(title))
  if (isActive !== undefined) note('is_active', activeFaults(isActive))
  if (customCode !== undefined && customCode !== null && customCode !== code) {
    note('custom_code', ['The custom code cannot be changed.'])
  }
  if (Object.keys(fields).length > 0) throw invalid(fields)
  return {
    destination,
    title: title === null ? '' : (title as string | undefined),
    isActive: isActive as boolean | undefined,
  }
}

/** Changes what the edit names and nothing else. */
export async function editLink(
  deps: EditLinkDeps,
  caller: Caller,
  { code, edit }: { code: string; edit: LinkEdit },
): Promise<void> {
  await transact(deps.db, async (tx) => {
    const { originalUrl, targetUrl } = edit.destination ?? {}
    const row = await tx
      .updateTable('links')
      .set({
        ...(originalUrl === undefined ? {} : { original_url: originalUrl }),
        ...(targetUrl === undefined ? {} : { target_url: targetUrl === originalUrl ? null : targetUrl }),
        ...(edit.title === undefined ? {} : { title: edit.title }),
        updated_at: deps.clock.nowUs(),
      })
      .where('code', '=', code)
      .where('account_id', '=', caller.accountId)
      .returning(['id as linkId', 'account_id as accountId', 'title', 'original_url as originalUrl', 'code'])
      .executeTakeFirst()
    if (row === undefined) throw noSuchLink()
    if (edit.destination !== undefined || edit.title !== undefined) await writeLinkTexts(tx, [row])
    if (edit.isActive !== undefined) await setActive(tx, caller, { code, isActive: edit.isActive })
  })
  deps.changes.changed([code])
}

async function setActive(
  tx: Db,
  caller: Caller,
  { code, isActive }: { code: string; isActive: boolean },
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('links')
    .set({ is_active: isActive ? 1 : 0 })
    .where('code', '=', code)
    .where('account_id', '=', caller.accountId)
    .where('is_active', '=', isActive ? 0 : 1)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) await countLinks(tx, caller.accountId, { links: 0, active: isActive ? 1 : -1 })
}
