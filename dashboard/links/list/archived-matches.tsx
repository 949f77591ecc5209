import { Archive } from 'lucide-react'
import { fullNumber } from '../../format.ts'
import { listStrings as texts } from './list-strings.ts'
import type { ListQuery } from './list-query.ts'
import { useLinkCounts } from '../views/use-link-counts.ts'
import { TextButton } from '../../components/button.tsx'

type ArchivedMatchesProps = {
  query: ListQuery
  /** Whether the list itself has none. */
  isEmpty: boolean
  onChange: (change: Partial<ListQuery>) => void
}

/** At the end of a search: how many archived links it finds as well. */
export default function ArchivedMatches({ query, isEmpty, onChange }: ArchivedMatchesProps) {
  const [count] = useLinkCounts([{ ...query, archived: 'only' }])
  if (count === undefined) return null
  if (count === 0) return isEmpty ? <p className="archived-matches">{texts.archivedSearched}</p> : null
  return (
    <p className="archived-matches">
      <Archive size={15} aria-hidden />
      {texts.archivedMatch(fullNumber(count))}
      <TextButton onClick={() => onChange({ archived: 'only' })}>{texts.showArchived}</TextButton>
    </p>
  )
}
