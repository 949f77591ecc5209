import { daysText } from '../../components/pickers/filter-pill.tsx'
import { fullNumber } from '../../format.ts'
import { listStrings as texts } from '../list/list-strings.ts'
import type { ListQuery } from '../list/list-query.ts'

/** More values are only counted. */
const NAMED_MAX = 2

export type ValuesWords = {
  many: (count: string) => string
  joined?: (one: string, other: string) => string
}

/** What a filter with several values is set to. Undefined: nothing. */
export function valuesText(
  labels: readonly string[],
  { many, joined = texts.or }: ValuesWords,
): string | undefined {
  const [first, second] = labels
  if (labels.length > NAMED_MAX) return many(fullNumber(labels.length))
  return second === undefined ? first : joined(first!, second)
}

export const tagWords = (mode: ListQuery['tagMode']): ValuesWords =>
  mode === 'all' ? { many: texts.allTags, joined: texts.and } : { many: texts.manyTags }

/** Each filter that is set, as its pill says it: "Tag: Winter 2026". `nameOf`: of a user. */
export function filterTexts(query: ListQuery, nameOf: (id: number) => string): string[] {
  const statuses = query.statuses.map((status) => texts.statuses[status])
  const days = { from: query.createdFrom, to: query.createdTo }
  const values = [
    [texts.status, valuesText(statuses, { many: texts.manyStatuses })],
    [texts.tag, valuesText(query.tags, tagWords(query.tagMode))],
    [texts.folder, valuesText(query.folders, { many: texts.manyFolders })],
    [texts.domain, valuesText(query.domains, { many: texts.manyDomains })],
    [texts.creator, valuesText(query.creators.map(nameOf), { many: texts.manyCreators })],
    [texts.created, daysText(days)],
    [texts.ends, query.endsInDays > 0 && texts.endsIn(fullNumber(query.endsInDays))],
    [texts.attention, query.needsAttention && texts.attentionSet],
    [texts.archived, texts.archivedSet[query.archived]],
  ] as const
  return values.flatMap(([label, value]) => (value ? [`${label}: ${value}`] : []))
}
