import { listStrings as texts } from '../list/list-strings.ts'
import { useData } from '../../use-data.ts'
import { useSignedIn } from '../../use-session.ts'
import { type FilterProps, ValuesPill } from './list-pickers.tsx'

const STALE_MS = 60_000

/** Who could have created a link. Undefined while it is not known, or not asked for. */
export const useMemberNames = (isNeeded: boolean) =>
  useData('GET /members/names', { staleTime: STALE_MS, enabled: isNeeded }).data

/** Nothing to choose where nobody else can create links. */
export function CreatorPill({ query: { creators }, onChange }: FilterProps) {
  const { members } = useSignedIn().user.workspace
  const isShown = members > 1 || creators.length > 0
  const data = useMemberNames(isShown)
  if (!isShown) return null
  return (
    <ValuesPill
      label={texts.creator}
      chosen={creators.map(String)}
      options={data?.map(({ id, name }) => ({ value: String(id), label: name }))}
      none={texts.noCreator}
      many={texts.manyCreators}
      onChoose={(chosen) => onChange({ creators: chosen.map(Number) })}
    />
  )
}
