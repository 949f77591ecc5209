import {
  AppWindow,
  CalendarRange,
  Clock,
  Cpu,
  Languages,
  Link2,
  type LucideIcon,
  MapPin,
  Plus,
  Smartphone,
} from 'lucide-react'
import { useRef, useState } from 'react'
import { FieldError } from '../../../components/fields/field.tsx'
import { ruleStrings } from './rule-strings.ts'
import { ConditionChip, KindMenu } from './condition-chip.tsx'
import {
  type ConditionKind,
  type Conditions,
  emptyCondition,
  exchanged,
  type RuleErrors,
} from './rule-form.ts'

const { condition: texts } = ruleStrings

const ICONS: Record<ConditionKind, LucideIcon> = {
  country: MapPin,
  device: Smartphone,
  os: Cpu,
  browser: AppWindow,
  language: Languages,
  query: Link2,
  between: CalendarRange,
  hours: Clock,
}
const KINDS = Object.keys(ICONS) as ConditionKind[]

type RuleConditionsProps = {
  number: number
  when: Conditions
  errors: RuleErrors
  isNew: boolean
  onWhen: (when: Conditions) => void
}

/** The chips after "If", joined by "and". */
export function RuleConditions({ number, when, errors, isNew, onWhen }: RuleConditionsProps) {
  const [openKind, setOpenKind] = useState<ConditionKind | null>(null)
  const adder = useRef<HTMLButtonElement>(null)
  const kinds = Object.keys(when) as ConditionKind[]
  const free = freeKinds(when)
  const remove = (kind: ConditionKind) => {
    // The chip goes, and would take the focus with it.
    adder.current?.focus()
    const { [kind]: _, ...others } = when
    onWhen(others)
  }
  return (
    <div className="rule-row">
      <span className="rule-word">{ruleStrings.if}</span>
      <div className="rule-conditions">
        {kinds.length === 0 && <span className="rule-everyone">{ruleStrings.everyone}</span>}
        {kinds.map((kind, at) => (
          // By place, so that its menu can close when its kind has changed.
          <span className="condition-and" key={at}>
            <ConditionChip
              kind={kind}
              icon={ICONS[kind]}
              when={when}
              errors={errors[`when.${kind}`]}
              isOpen={openKind === kind}
              onOpen={(isOpen) => setOpenKind(isOpen ? kind : null)}
              free={free}
              onKind={(next) => onWhen(exchanged(when, kind, next))}
              onKindChosen={setOpenKind}
              onWhen={onWhen}
              onRemove={() => remove(kind)}
            />
            {at < kinds.length - 1 && <span className="soft">{ruleStrings.and}</span>}
          </span>
        ))}
        {free.length > 0 && (
          <KindMenu
            label={texts.addTo(number)}
            kinds={free}
            onKind={(kind) => onWhen({ ...when, ...emptyCondition(kind) })}
            onChosen={setOpenKind}
            trigger={
              <button ref={adder} type="button" className="add-pill" autoFocus={isNew}>
                <Plus size={15} aria-hidden />
                <span className="only-spoken">{texts.addTo(number)}</span>
                <span aria-hidden>{texts.add}</span>
              </button>
            }
          />
        )}
        {['when', ...kinds.map((kind) => `when.${kind}`)].map(
          (part) => errors[part] && <FieldError key={part} text={errors[part].join(' ')} />,
        )}
      </div>
    </div>
  )
}

const freeKinds = (when: Conditions) =>
  KINDS.filter((kind) => when[kind] === undefined).map((kind) => ({
    kind,
    label: texts.kinds[kind],
    icon: ICONS[kind],
  }))
