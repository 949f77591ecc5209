import type { LinkSelection } from './link-choices.ts'

const ARCHIVED = 'The link is archived, and such links are left out.'
const WITHOUT_DATE = 'The source does not say when the link was created, so it is left out.'

type Selected = { isArchived: boolean; createdAt: string | null | undefined }

/** Why a link does not come along by what was chosen; undefined if it does. */
export function whyLeftOut(
  { isArchived, createdAt }: Selected,
  { without, createdFrom, createdTo }: LinkSelection,
): string | undefined {
  if (isArchived && without?.includes('archived')) return ARCHIVED
  if (createdFrom === undefined && createdTo === undefined) return undefined
  const day = dayOf(createdAt)
  if (day === undefined) return WITHOUT_DATE
  if (createdFrom !== undefined && day < createdFrom)
    return `The link was created on ${day}, and links before ${createdFrom} are left out.`
  if (createdTo !== undefined && day > createdTo)
    return `The link was created on ${day}, and links after ${createdTo} are left out.`
  return undefined
}

/** In UTC. A file of our own may say anything. */
function dayOf(time: string | null | undefined): string | undefined {
  const ms = Date.parse(time ?? '')
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString().slice(0, 10)
}
