import { DaysPill } from '../components/pickers/filter-pill.tsx'
import { ValuesPill } from '../components/pickers/values-pill.tsx'
import { auditStrings as texts } from './audit-strings.ts'
import { useSignedIn } from '../use-session.ts'
import { useSettledText } from '../use-settled.ts'
import { type AuditFilters, NO_FILTERS, writeFilters } from './audit-query.ts'
import { useData } from '../api/use-data.ts'
import { SearchField } from '../components/fields/field.tsx'
import { TextButton } from '../components/button.tsx'

const SETTLED_MS = 250

type FilterBarProps = {
  filters: AuditFilters
  onChange: (change: Partial<AuditFilters>) => void
  count: string
}

export function AuditFilterBar({ filters, onChange, count }: FilterBarProps) {
  const { is_alone: isAlone } = useSignedIn().user
  const [text, setText] = useSettledText(filters.search, (search) => onChange({ search }), SETTLED_MS)
  return (
    <div className="list-tools" role="search">
      <SearchField label={texts.search} text={text} onText={setText} maxLength={255} />
      <div className="pills" role="group" aria-label={texts.filters}>
        <WhoPill chosen={filters.who} onChoose={(who) => onChange({ who })} />
        <ValuesPill
          label={texts.action}
          chosen={filters.actions}
          options={actionsFor(isAlone)}
          none={texts.noAction}
          many={texts.manyActions}
          onChoose={(actions) => onChange({ actions })}
        />
        <DaysPill label={texts.date} from={filters.from} to={filters.to} onChange={onChange} />
        <ValuesPill
          label={texts.through}
          chosen={filters.clients}
          options={CLIENTS}
          none={texts.noClient}
          many={texts.manyClients}
          onChoose={(clients) => onChange({ clients })}
        />
        {writeFilters(filters).size > 0 && (
          <TextButton onClick={() => onChange(NO_FILTERS)}>{texts.clear}</TextButton>
        )}
      </div>
      <span className="soft audit-count" role="status">
        {count}
      </span>
    </div>
  )
}

const optionsOf = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label: label.replace(/:$/, '') }))

/** Of links, an action is not clear without its object. */
const ACTIONS = Object.entries(texts.deeds).map(([value, deed]) => ({
  value,
  label: value.startsWith('link.') ? texts.linkDeed(deed) : deed.replace(/:$/, ''),
}))
/** Somebody who is alone is told nothing of workspaces. */
const actionsFor = (isAlone: boolean) =>
  isAlone ? ACTIONS.filter(({ value }) => !value.startsWith('workspace.')) : ACTIONS
const CLIENTS = optionsOf(texts.clients)

function WhoPill({ chosen, onChoose }: { chosen: readonly string[]; onChoose: (chosen: string[]) => void }) {
  const { data } = useData('GET /audit-log/actors')
  const options = data && [
    ...data.users.map(({ id, name }) => ({ value: `user ${id}`, label: name })),
    ...data.api_keys.map(({ id, name }) => ({ value: `key ${id}`, label: name, detail: texts.apiKey })),
  ]
  return (
    <ValuesPill
      label={texts.who}
      chosen={chosen}
      options={options}
      none={texts.noWho}
      many={texts.manyWho}
      onChoose={onChoose}
    />
  )
}
