import { Select } from '../../../components/field.tsx'
import { ruleStrings } from '../../../strings/rule-strings.ts'
import type { RuleErrors } from './rule-errors.ts'
import { type RuleForm, withSplit } from './rule-form.ts'
import { RuleUrl } from './rule-url.tsx'
import { SplitEditor } from './split-editor.tsx'

type RuleDestinationProps = {
  rule: RuleForm
  number: number
  errors: RuleErrors
  onChange: (rule: RuleForm) => void
}

/** After "Then": one URL, or a split. */
export function RuleDestination({ rule, number, errors, onChange }: RuleDestinationProps) {
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
