import { type LucideIcon, X } from 'lucide-react'
import { type ComponentProps, useRef } from 'react'
import { Floating } from '../../../components/pickers/picker.tsx'
import { ruleStrings } from './rule-strings.ts'
import { PHONE, useMedia } from '../../../use-media.ts'
import { isListKind, operatorOf, valueText } from './chip-text.ts'
import { DatesValues, HoursValues } from './time-values.tsx'
import { ListValues } from './list-values.tsx'
import { QueryValues } from './query-values.tsx'
import type { ConditionKind, Conditions } from './rule-form.ts'
import { Menu } from '../../../components/pickers/menu.tsx'

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
  const chosen = useRef<ConditionKind>(null)
  return (
    <Menu
      label={label}
      align="start"
      trigger={trigger}
      items={kinds.map(({ kind, label: name, icon }) => ({
        label: name,
        icon,
        onSelect: () => {
          chosen.current = kind
          onKind(kind)
        },
      }))}
      onClosed={(event) => {
        if (chosen.current === null) return
        event.preventDefault()
        onChosen(chosen.current)
        chosen.current = null
      }}
    />
  )
}
