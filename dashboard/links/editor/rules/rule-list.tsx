import { Plus, Route } from 'lucide-react'
import { createContext, type RefObject, use, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Notice } from '../../../components/states.tsx'
import { Section } from '../section.tsx'
import type { LinkFields } from '../use-link-form.ts'
import { ruleStrings } from './rule-strings.ts'
import { PHONE, useMedia } from '../../../use-media.ts'
import { RuleCard } from './rule-card.tsx'
import { coveringRule } from './rule-covering.ts'
import { copyOf, newRule, type RuleErrors, type RuleForm, RULES_MAX } from './rule-form.ts'
import { moved, useReorder } from './use-reorder.ts'
import './rules.css'

/** The rule, counted from 1, that the visitor of the Test box meets; null: none, or nothing is tested. */
export const TestedRule = createContext<number | null>(null)

type RulesSectionProps = { fields: LinkFields; onOpen: () => void }

export function RulesSection({ fields: { form, set, rulesErrors }, onOpen }: RulesSectionProps) {
  const { rules } = form
  const splits = rules.filter(({ split }) => split !== null).length
  return (
    <Section
      icon={Route}
      title={ruleStrings.name}
      summary={rules.length === 0 ? ruleStrings.none : ruleStrings.summary(rules.length, splits)}
      isSet={rules.length > 0}
      hasErrors={rulesErrors.count > 0}
      onOpen={onOpen}
    >
      {rulesErrors.list.length > 0 && <Notice tone="bad">{rulesErrors.list.join(' ')}</Notice>}
      <RuleList rules={rules} onRules={(next) => set({ rules: next })} errorsOf={rulesErrors.ofRule} />
    </Section>
  )
}

type RuleListProps = {
  rules: RuleForm[]
  onRules: (rules: RuleForm[]) => void
  errorsOf: (rule: RuleForm) => RuleErrors
}

function RuleList({ rules, onRules, errorsOf }: RuleListProps) {
  const reorder = useReorder(rules, onRules)
  const isPhone = useMedia(PHONE)
  const [openKey, setOpenKey] = useState(rules[0]?.key)
  const [addedKey, setAddedKey] = useState<number>()
  const addButton = useRef<HTMLButtonElement>(null)
  const helpId = useId()
  const matchNumber = use(TestedRule)
  const matchedKey = matchNumber === null ? undefined : rules[matchNumber - 1]?.key
  // On a phone the form is not there while a visitor is tested.
  useEffect(() => {
    if (matchedKey !== undefined) setOpenKey(matchedKey)
  }, [matchedKey])
  const isFull = rules.length >= RULES_MAX
  const insert = (at: number, rule: RuleForm) => {
    onRules(rules.toSpliced(at, 0, rule))
    setOpenKey(rule.key)
  }
  const add = () => {
    const rule = newRule()
    setAddedKey(rule.key)
    insert(rules.length, rule)
  }
  return (
    <div className="rules">
      {rules.length === 0 && <p className="hint">{ruleStrings.intro}</p>}
      <Spoken helpId={helpId} message={reorder.message} />
      <ol {...reorder.listParts} className="rule-list">
        {rules.map((rule, at) => (
          <RuleCard
            key={rule.key}
            rule={rule}
            number={at + 1}
            errors={errorsOf(rule)}
            covering={coveringRule(rules, at) + 1}
            isMatched={matchNumber === at + 1}
            isLifted={reorder.liftedKey === rule.key}
            isNew={addedKey === rule.key}
            fold={isPhone ? { isOpen: openKey === rule.key, onOpen: setOpenKey } : undefined}
            grip={{ ...reorder.gripParts(rule), 'aria-describedby': helpId }}
            onChange={(changed) => onRules(rules.with(at, changed))}
            onMove={(by) => onRules(moved(rules, at, at + by))}
            isLast={at === rules.length - 1}
            onDuplicate={isFull ? undefined : () => insert(at + 1, copyOf(rule))}
            onDelete={() => {
              // The card goes, and would take the focus with it.
              addButton.current?.focus()
              onRules(rules.toSpliced(at, 1))
            }}
          />
        ))}
      </ol>
      {rules.length > 0 && <p className="hint">{ruleStrings.else}</p>}
      <AddRule button={addButton} onAdd={isFull ? undefined : add} />
    </div>
  )
}

/** How rules change places, and where the lifted one is. */
const Spoken = ({ helpId, message }: { helpId: string; message: string }) => (
  <>
    <p className="only-spoken" id={helpId}>
      {ruleStrings.order.help}
    </p>
    <p className="only-spoken" aria-live="assertive">
      {message}
    </p>
  </>
)

type AddRuleProps = { button: RefObject<HTMLButtonElement | null>; onAdd: (() => void) | undefined }

const AddRule = ({ button, onAdd }: AddRuleProps) => (
  <div className="rule-add">
    <Button ref={button} size="small" icon={Plus} aria-disabled={onAdd === undefined} onClick={onAdd}>
      {ruleStrings.add}
    </Button>
    {onAdd === undefined && <span className="hint">{ruleStrings.full(RULES_MAX)}</span>}
  </div>
)
