import { z } from 'zod'
import type { Caller } from '../access/caller.ts'
import type { FieldChanges } from '../audit/changes-text.ts'
import { isPathPrefix } from '../config/path-prefix.ts'
import { DEFAULT_DOMAIN } from '../codes/code-rules.ts'
import { recordChange } from '../audit/record-change.ts'
import { type FieldErrors, invalid } from '../errors/refusal.ts'
import { type ChangeLinksDeps, changeLinks, type LinksTx } from '../links/change-links.ts'
import { withoutRootDot } from '../links/destinations/blocks.ts'
import { destinationHref } from '../links/destinations/destination-field.ts'
import type { DestinationRules } from '../links/destinations/destination.ts'
import type { Tx } from '../store/handles.ts'
import { NOT_A_STRING, trueOrFalse } from '../validation/field-rules.ts'
import { lockForCaller } from '../workspaces/lock-for-caller.ts'
import type { DomainDeps } from './add-domain.ts'
import { changeCase, foldCodes } from './ignore-case.ts'
import {
  defaultDomainOf,
  findDomain,
  isCaseIgnoredOn,
  listDomains,
  refuseShared,
  sharedIsFixed,
  type StoredDomain,
} from './find-domains.ts'

const pathPrefix = z
  .string(NOT_A_STRING)
  .nullable()
  .transform((text) => text?.trim().replaceAll(/^\/*|\/*$/g, '') ?? '')
  .transform((path) => (path === '' ? '' : `/${path}`))
  .refine(
    (path) => path === '' || isPathPrefix(path),
    'The :attribute must be a path such as /s: up to three words of letters, digits and . _ ~ -, and not one of this server, such as /api.',
  )
  .optional()
  .meta({
    description:
      'What the short URLs of the domain have before the code: with `/s`, they are `https://go.example/s/launch`. null: nothing. Without the prefix, they open too. Those that were printed with another prefix no longer open.',
    example: '/s',
  })

const PAGES = ['home_url', 'not_found_url', 'expired_url'] as const
type Page = (typeof PAGES)[number]
/** What the row of a domain has as it was sent, and the domain of BASE_URL cannot have. */
const OWN_FIELDS = [...PAGES, 'path_prefix'] as const

/** Fields that are absent stay as they are. */
export function domainEdit(rules: DestinationRules) {
  const page = (description: string) =>
    destinationHref(rules).nullish().meta({ description, example: 'https://www.example.com/' })
  return z.object({
    is_default: trueOrFalse
      .refine((isDefault) => isDefault, 'To change the default domain, make another one the default.')
      .optional()
      .meta({ description: 'true: new links are on this domain unless they name another.' }),
    home_url: page('Where the domain without a code leads; null: a page that says what it is.'),
    not_found_url: page('Where unknown codes lead; null: the notice page.'),
    expired_url: page('Where links lead that have ended and have no fallback; null: the notice page.'),
    path_prefix: pathPrefix,
    case_insensitive: trueOrFalse.optional().meta({
      description:
        'true: visitors find a link whatever case they type its code in. Codes keep how they were written. Refused if two links would have one code; cannot be turned off once there are links.',
    }),
  })
}

type DomainEdit = z.output<ReturnType<typeof domainEdit>>

type EditDeps = DomainDeps & ChangeLinksDeps & { baseUrl: string }

/** Changes what is named, and nothing else; null clears a page. */
export async function editDomain(
  deps: EditDeps,
  caller: Caller,
  { name, edit }: { name: string; edit: DomainEdit },
): Promise<void> {
  const isBase = name === new URL(deps.baseUrl).hostname
  const isCaseIgnored = edit.case_insensitive === true
  const claimsCodes = !isBase && isCaseIgnored
  const isServedOtherwise = await changeLinks(deps, { claimsCodes }, async (change) => {
    const { tx, nowUs } = change
    await lockForCaller(tx, caller, 'domains:write')
    const domain = isBase ? await baseDomain(tx, caller, edit) : await findDomain({ db: tx }, caller, name)
    if (domain.id !== null) refuseShared(domain)
    await refusePagesOnDomains(tx, caller, edit)
    const changes = changesOf(domain, edit)
    if (Object.keys(changes).length === 0) return false
    const fields = Object.fromEntries(OWN_FIELDS.map((field) => [field, edit[field]]))
    if (domain.id !== null && OWN_FIELDS.some((field) => field in changes))
      await tx.updateTable('domains').set(fields).where('id', '=', domain.id).execute()
    if ('is_default' in changes) await makeDefault(tx, caller, domain)
    if ('case_insensitive' in changes) await changeCase(change, domain.id!, isCaseIgnored)
    const entry = { nowUs, action: 'domain.updated', target: name, changes } as const
    await recordChange(tx, caller, { ...entry, targetId: domain.id })
    return domain.host !== null
  })
  if (isServedOtherwise) await deps.redirectState.changed()
  // Those of links that were made in the meantime, for which case still counted.
  if (claimsCodes) await changeLinks(deps, { claimsCodes }, (change) => foldLateCodes(change, caller, name))
}

/** On whatever port: hosts that are served are no destinations, and those that are not verified yet will be served. */
async function refusePagesOnDomains(tx: Tx, caller: Caller, edit: DomainEdit): Promise<void> {
  const own = (await listDomains({ db: tx }, caller)).filter(({ workspace_id: id }) => id !== null)
  const names = new Set(own.map(({ name }) => name))
  const errors: FieldErrors = {}
  for (const page of PAGES) {
    const url = edit[page]
    const host = url == null ? '' : withoutRootDot(new URL(url).hostname)
    const reason = `may not be on ${host}, which is for short links: visitors would go in circles.`
    if (names.has(host)) errors[page] = [`The ${page.replaceAll('_', ' ')} ${reason}`]
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

/** `id`: null for the domain of BASE_URL. */
type EditedDomain = Pick<
  StoredDomain,
  Page | 'workspace_id' | 'host' | 'isDefault' | 'case_insensitive' | 'path_prefix'
> & {
  id: number | null
}

/** It belongs to the operator, but each workspace chooses whether it is its default. */
async function baseDomain(tx: Tx, { workspaceId }: Caller, edit: DomainEdit): Promise<EditedDomain> {
  const { case_insensitive: isIgnored = false } = edit
  const changesCase = 'case_insensitive' in edit && isIgnored !== (await isCaseIgnoredOn(tx, DEFAULT_DOMAIN))
  if (OWN_FIELDS.some((field) => edit[field] !== undefined) || changesCase) throw sharedIsFixed()
  const isDefault = (await defaultDomainOf(tx, workspaceId)) === null
  const fixed = {
    case_insensitive: Number(isIgnored),
    path_prefix: '',
    home_url: null,
    not_found_url: null,
    expired_url: null,
  }
  return { id: null, workspace_id: null, host: '', isDefault, ...fixed }
}

function changesOf(domain: EditedDomain, edit: DomainEdit): FieldChanges {
  const before = {
    ...domain,
    is_default: domain.isDefault,
    case_insensitive: domain.case_insensitive === 1,
  }
  return Object.fromEntries(
    ([...OWN_FIELDS, 'is_default', 'case_insensitive'] as const)
      .filter((field) => edit[field] !== undefined && edit[field] !== before[field])
      .map((field) => [field, { from: before[field], to: edit[field] }]),
  )
}

async function foldLateCodes(change: LinksTx, caller: Caller, name: string): Promise<void> {
  const { id, case_insensitive: isOn } = await findDomain({ db: change.tx }, caller, name)
  if (isOn === 1) await foldCodes(change, id)
}

async function makeDefault(tx: Tx, { workspaceId }: Caller, { id, host }: EditedDomain): Promise<void> {
  if (host === null)
    throw invalid({ is_default: ['The domain must be verified before it can be the default.'] })
  const workspaces = tx.updateTable('workspaces').set({ default_domain_id: id })
  await workspaces.where('id', '=', workspaceId).execute()
}
