import { DaysPill } from '../../components/pickers/days-pill.tsx'
import { listStrings as texts } from '../list/list-strings.ts'
import type { FilterProps } from './list-pickers.tsx'

export const CreatedPill = ({ query: { createdFrom, createdTo }, onChange }: FilterProps) => (
  <DaysPill
    label={texts.created}
    from={createdFrom}
    to={createdTo}
    onChange={({ from = createdFrom, to = createdTo }) => onChange({ createdFrom: from, createdTo: to })}
  />
)
