import { ArrowDown, ArrowUp, Check, ChevronDown, ChevronUp, Copy, GripVertical, Trash2 } from 'lucide-react'
import { type ComponentProps, useId, useRef } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Menu } from '../../../components/pickers/menu.tsx'
import { Notice } from '../../../components/states.tsx'
import { ruleStrings } from './rule-strings.ts'
import { headingOf } from './chip-text.ts'
import { RuleConditions } from './rule-conditions.tsx'
import { type RuleErrors, type RuleForm, withSplit } from './rule-form.ts'
import { Select } from '../../../components/fields/field.tsx'
import { RuleUrl } from './rule-url.tsx'
import { SplitEditor } from './split-editor.tsx'

type RuleCardProps = {
  rule: RuleForm
  /** From 1 on. */
  number: number
  errors: RuleErrors
  /** The number of the rule that catches every visitor of this one; 0: none does. */
  covering: number
  /** The visitor who is tested beside the form meets this rule. */
  isMatched: boolean
  isLifted: boolean
  /** Just added: it has the focus. */
  isNew: boolean
  /** On a phone: whether it is open. */
  fold: { isOpen: boolean; onOpen: (key: number | undefined) => void } | undefined
  grip: ComponentProps<'button'>
  onChange: (rule: RuleForm) => void
  isLast: boolean
  onMove: (by: 1 | -1) => void
  /** Undefined: there are as many rules as there can be. */
  onDuplicate: (() => void) | undefined
  onDelete: () => void
}

export function RuleCard(props: RuleCardProps) {
  const { rule, number, errors, covering, isMatched, isLifted, fold, onChange } = props
  const headingId = useId()
  // An error would be hidden.
  const isOpen = fold === undefined || fold.isOpen || Object.keys(errors).length > 0
  const classes = ['rule', isMatched && 'is-matched', isLifted && 'is-lifted'].filter(Boolean).join(' ')
  return (
    <li className={classes} aria-labelledby={headingId}>
      <Head {...props} headingId={headingId} isOpen={isOpen} />
      {isOpen && (
        <div className="rule-body">
          <RuleConditions
            number={number}
            when={rule.when}
            errors={errors}
            isNew={props.isNew}
            onWhen={(when) => onChange({ ...rule, when })}
          />
          <RuleDestination rule={rule} number={number} errors={errors} onChange={onChange} />
        </div>
      )}
      {covering > 0 && <Notice tone="warn">{ruleStrings.covered(covering)}</Notice>}
    </li>
  )
}

type HeadProps = RuleCardProps & { headingId: string; isOpen: boolean }

const Head = ({ rule, number, isMatched, fold, grip, headingId, isOpen, ...rest }: HeadProps) => (
  <div className="rule-head">
    <button {...grip} type="button" className="rule-grip" aria-label={ruleStrings.order.grip(number)}>
      <GripVertical size={17} aria-hidden />
    </button>
    <span className="rule-number" aria-hidden>
      {number}
    </span>
    <h3 id={headingId} className="cut">
      <span className="only-spoken">{ruleStrings.rule(number)}: </span>
      {headingOf(rule.when)}
    </h3>
    {isMatched && (
      <Badge tone="ok" icon={Check}>
        {ruleStrings.matched}
      </Badge>
    )}
    <span className="rule-tools">
      {isOpen && <CardMenu number={number} {...rest} />}
      {fold && (
        <button
          type="button"
          className="button is-quiet is-icon"
          aria-expanded={isOpen}
          aria-labelledby={headingId}
          onClick={() => fold.onOpen(fold.isOpen ? undefined : rule.key)}
        >
          {isOpen ? <ChevronUp size={17} aria-hidden /> : <ChevronDown size={17} aria-hidden />}
        </button>
      )}
    </span>
  </div>
)

type CardMenuProps = Pick<RuleCardProps, 'number' | 'isLast' | 'onMove' | 'onDuplicate' | 'onDelete'>

function CardMenu({ number, isLast, onMove, onDuplicate, onDelete }: CardMenuProps) {
  const isDeleting = useRef(false)
  return (
    <Menu
      label={ruleStrings.menu(number)}
      items={[
        {
          label: ruleStrings.duplicate,
          icon: Copy,
          isDisabled: !onDuplicate,
          onSelect: () => onDuplicate?.(),
        },
        { label: ruleStrings.up, icon: ArrowUp, isDisabled: number === 1, onSelect: () => onMove(-1) },
        { label: ruleStrings.down, icon: ArrowDown, isDisabled: isLast, onSelect: () => onMove(1) },
        { kind: 'line' },
        {
          label: ruleStrings.delete,
          icon: Trash2,
          isDanger: true,
          onSelect: () => (isDeleting.current = true),
        },
      ]}
      onClosed={(event) => {
        if (!isDeleting.current) return
        event.preventDefault()
        onDelete()
      }}
    />
  )
}

type RuleDestinationProps = {
  rule: RuleForm
  number: number
  errors: RuleErrors
  onChange: (rule: RuleForm) => void
}

/** After "Then": one URL, or a split. */
function RuleDestination({ rule, number, errors, onChange }: RuleDestinationProps) {
  const { split } = rule
  const select = (
    <Select
      aria-label={ruleStrings.leads(number)}
      choices={[
        { value: 'url', label: ruleStrings.goTo },
        { value: 'split', label: ruleStrings.splitBetween },
      ]}
      value={split === null ? 'url' : 'split'}
      onChoice={(choice) => onChange(withSplit(rule, choice === 'split'))}
    />
  )
  return (
    <div className="rule-row">
      <span className="rule-word">{ruleStrings.then}</span>
      {split === null ? (
        <div className="rule-then">
          {select}
          <RuleUrl
            label={ruleStrings.url(number)}
            value={rule.to}
            errors={errors.to}
            onUrl={(to) => onChange({ ...rule, to })}
          />
        </div>
      ) : (
        <SplitEditor
          select={select}
          split={split}
          errors={errors}
          onSplit={(next) => onChange({ ...rule, split: next })}
        />
      )}
    </div>
  )
}
