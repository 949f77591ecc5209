import { Archive } from 'lucide-react'
import { fullNumber } from '../format.ts'
import { listStrings as texts } from '../strings/list-strings.ts'
import '../styles/views-style.ts'
import type { ListQuery } from './list-query.ts'
import { useLinkCounts } from './views/use-link-counts.ts'

type ArchivedMatchesProps = { query: ListQuery; onChange: (change: Partial<ListQuery>) => void }

/** At the end of a search: how many archived links it finds as well. */
export default function ArchivedMatches({ query, onChange }: ArchivedMatchesProps) {
  const [count = 0] = useLinkCounts([{ ...query, archived: 'only' }])
  if (count === 0) return null
  return (
    <p className="archived-matches">
      <Archive size={15} aria-hidden />
      {texts.archivedMatch(fullNumber(count))}
      <button type="button" className="text-button" onClick={() => onChange({ archived: 'only' })}>
        {texts.showArchived}
      </button>
    </p>
  )
}
