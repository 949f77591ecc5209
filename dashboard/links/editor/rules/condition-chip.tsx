import { type LucideIcon, Plus, X } from 'lucide-react'
import { type ComponentProps, useRef, useState } from 'react'
import { Floating } from '../../../components/pickers/picker.tsx'
import { ruleStrings } from './rule-strings.ts'
import { PHONE, useMedia } from '../../../use-media.ts'
import { isListKind, operatorOf, valueText } from './chip-text.ts'
import { DatesValues, HoursValues } from './time-values.tsx'
import { ListValues } from './list-values.tsx'
import type { ConditionKind, Conditions } from './rule-form.ts'
import { Menu } from '../../../components/pickers/menu.tsx'
import { Button, IconButton } from '../../../components/button.tsx'
import { Select, TextField, VERBATIM } from '../../../components/fields/field.tsx'

const { condition: texts } = ruleStrings
const NAMES_MAX = 3
const PHONE_NAMES_MAX = 1

type ConditionChipProps = {
  kind: ConditionKind
  icon: LucideIcon
  when: Conditions
  errors: string[] | undefined
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  /** Kinds that the rule does not have yet. */
  free: readonly FreeKind[]
  onKind: (kind: ConditionKind) => void
  onKindChosen: (kind: ConditionKind) => void
  onWhen: (when: Conditions) => void
  onRemove: () => void
}

/** Its field, and its values. Each is a button that opens what to choose from. */
export function ConditionChip({
  kind,
  icon: Icon,
  when,
  onKind,
  onKindChosen,
  onRemove,
  ...rest
}: ConditionChipProps) {
  const name = texts.kinds[kind]
  return (
    <span className={`condition${rest.errors ? ' is-bad' : ''}`} role="group" aria-label={name}>
      <KindMenu
        label={texts.change(name)}
        kinds={rest.free}
        onKind={onKind}
        onChosen={onKindChosen}
        trigger={
          <button type="button" className="condition-field">
            <Icon size={15} aria-hidden />
            {name}
          </button>
        }
      />
      <ChipValue kind={kind} when={when} {...rest} />
      <button type="button" className="condition-remove" aria-label={texts.remove(name)} onClick={onRemove}>
        <X size={14} aria-hidden />
      </button>
    </span>
  )
}

type ChipValueProps = Omit<ConditionChipProps, 'icon' | 'free' | 'onKind' | 'onKindChosen' | 'onRemove'>

function ChipValue({ kind, when, errors, isOpen, onOpen, onWhen }: ChipValueProps) {
  const name = texts.kinds[kind]
  const trigger = <ValueButton kind={kind} when={when} aria-invalid={errors !== undefined} />
  if (isListKind(kind)) {
    return (
      <ListValues
        kind={kind}
        values={when[kind] ?? []}
        onValues={(values) => onWhen({ ...when, [kind]: values })}
        {...{ trigger, isOpen, onOpen }}
      />
    )
  }
  return (
    <Floating label={name} {...{ trigger, isOpen, onOpen }}>
      <div className="floating-form">
        {kind === 'query' && (
          <QueryValues query={when.query ?? {}} onQuery={(query) => onWhen({ ...when, query })} />
        )}
        {kind === 'between' && (
          <DatesValues between={when.between ?? {}} onBetween={(between) => onWhen({ ...when, between })} />
        )}
        {kind === 'hours' && when.hours && (
          <HoursValues hours={when.hours} onHours={(hours) => onWhen({ ...when, hours })} />
        )}
      </div>
    </Floating>
  )
}

type ValueButtonProps = Pick<ConditionChipProps, 'kind' | 'when'> & ComponentProps<'button'>

function ValueButton({ kind, when, ...button }: ValueButtonProps) {
  const isPhone = useMedia(PHONE)
  const operator = isPhone && isListKind(kind) ? texts.is : operatorOf(kind, when)
  return (
    <button {...button} type="button" className="condition-value">
      <span className="only-spoken">{texts.kinds[kind]} </span>
      <span className="condition-operator">{operator} </span>
      <span className="cut">
        {valueText(kind, when, isPhone ? PHONE_NAMES_MAX : NAMES_MAX) || texts.choose}
      </span>
    </button>
  )
}

type FreeKind = { kind: ConditionKind; label: string; icon: LucideIcon }

type KindMenuProps = {
  label: string
  kinds: readonly FreeKind[]
  trigger: React.ReactElement
  onKind: (kind: ConditionKind) => void
  /** When the menu has closed, and would return the focus. */
  onChosen: (kind: ConditionKind) => void
}

/** A chosen kind opens its values at once. */
export function KindMenu({ label, kinds, trigger, onKind, onChosen }: KindMenuProps) {
  const lastKind = useRef<ConditionKind>(null)
  return (
    <Menu
      label={label}
      align="start"
      trigger={trigger}
      items={kinds.map(({ kind, label: name, icon }) => ({
        label: name,
        icon,
        onSelect: () => {
          lastKind.current = kind
          onKind(kind)
        },
      }))}
      onClosed={(event) => {
        if (lastKind.current === null) return
        event.preventDefault()
        onChosen(lastKind.current)
        lastKind.current = null
      }}
    />
  )
}

const { query: queryTexts } = ruleStrings
const PARAMETERS_MAX = 10

type Query = Record<string, string | true>
/** `value`: true is any. */
type Parameter = { name: string; value: string | true }

type QueryValuesProps = { query: Query; onQuery: (query: Query) => void }

function QueryValues({ query, onQuery }: QueryValuesProps) {
  // Rows, because two may have the same name, or none, while they are typed.
  const [rows, setRows] = useState<Parameter[]>(() => {
    const pairs = Object.entries(query).map(([name, value]) => ({ name, value }))
    return pairs.length === 0 ? [{ name: '', value: true }] : pairs
  })
  const change = (next: Parameter[]) => {
    setRows(next)
    onQuery(
      Object.fromEntries(next.filter(({ name }) => name !== '').map(({ name, value }) => [name, value])),
    )
  }
  return (
    <>
      {rows.map((row, at) => (
        <ParameterRow
          // Rows have no name of their own.
          key={at}
          row={row}
          onRow={(next) => change(rows.with(at, next))}
          onRemove={rows.length > 1 ? () => change(rows.toSpliced(at, 1)) : undefined}
        />
      ))}
      {rows.length < PARAMETERS_MAX && (
        <Button size="small" icon={Plus} onClick={() => setRows([...rows, { name: '', value: true }])}>
          {queryTexts.add}
        </Button>
      )}
      <p className="hint">{queryTexts.hint}</p>
    </>
  )
}

type ParameterRowProps = {
  row: Parameter
  onRow: (row: Parameter) => void
  onRemove: (() => void) | undefined
}

const ParameterRow = ({ row: { name, value }, onRow, onRemove }: ParameterRowProps) => (
  <div className="query-row">
    <TextField
      label={queryTexts.name}
      {...VERBATIM}
      placeholder="utm_source"
      value={name}
      onText={(text) => onRow({ name: text, value })}
    />
    <span className="query-value">
      <Select
        aria-label={queryTexts.kind}
        size="small"
        choices={[
          { value: 'any', label: queryTexts.any },
          { value: 'is', label: queryTexts.is },
        ]}
        value={value === true ? 'any' : 'is'}
        onChoice={(choice) => onRow({ name, value: choice === 'any' ? true : '' })}
      />
      {onRemove && <IconButton label={queryTexts.remove} icon={X} onClick={onRemove} />}
    </span>
    {value !== true && (
      <TextField
        label={queryTexts.value}
        {...VERBATIM}
        value={value}
        onText={(text) => onRow({ name, value: text })}
      />
    )}
  </div>
)
