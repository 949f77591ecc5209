import { Route } from 'lucide-react'
import { Notice } from '../../../components/states.tsx'
import { Section } from '../../../components/section.tsx'
import { ruleStrings } from '../../../strings/rule-strings.ts'
import type { LinkFields } from '../use-link-form.ts'
import { RuleList } from './rule-list.tsx'

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
