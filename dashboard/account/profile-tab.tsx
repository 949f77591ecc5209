import { useState } from 'react'
import { ask } from '../api/api-client.ts'
import { fullNumber, shortDate } from '../format.ts'
import { Card } from '../components/card.tsx'
import { TextField } from '../components/fields/field.tsx'
import { ChangeForm, useFields } from '../components/fields/form.tsx'
import { Notice } from '../components/states.tsx'
import { useSignedIn } from '../use-session.ts'
import { accountStrings } from './account-strings.ts'
import { keyStrings } from '../keys/key-strings.ts'
import { strings } from '../strings.ts'
import { missingStrings } from '../components/fields/missing-strings.ts'
import { ConfirmField, useAccountChange, useProof } from './confirm-field.tsx'

export const ProfileTab = () => (
  <>
    <NameCard />
    <EmailCard />
    <PlanCard />
  </>
)

function NameCard() {
  const { user } = useSignedIn()
  const { values, field } = useFields({ name: user.name })
  const name = values.name.trim()
  const change = useAccountChange(() => ask('PUT /account', { input: { name } }), accountStrings.saved)
  return (
    <Card title={accountStrings.name}>
      <ChangeForm
        change={change}
        action={strings.actions.save}
        missing={name === user.name ? missingStrings.changes : undefined}
      >
        <TextField label={accountStrings.name} autoComplete="name" {...field('name')} />
      </ChangeForm>
    </Card>
  )
}

function EmailCard() {
  const { user, instance } = useSignedIn()
  const { values, field } = useFields({ email: user.email })
  const email = values.email.trim()
  const proof = useProof()
  const [requested, setRequested] = useState<string>()
  const change = useAccountChange(() =>
    ask('POST /account/email', { input: { email, password: proof.password } }),
  )
  const isChanged = email !== user.email
  return (
    <Card title={accountStrings.email}>
      <ChangeForm
        change={change}
        action={accountStrings.changeEmail}
        missing={isChanged ? proof.missing : missingStrings.changes}
        onDone={() => {
          setRequested(email)
          proof.onPassword('')
        }}
      >
        <div role="status">
          {change.isSuccess && requested !== undefined && requested !== user.email && (
            <Notice>
              {(instance.sends_mail ? accountStrings.emailRequested : accountStrings.emailOutbox)(requested)}
            </Notice>
          )}
        </div>
        <TextField
          label={accountStrings.email}
          hint={instance.sends_mail ? accountStrings.emailHint : undefined}
          type="email"
          autoComplete="email"
          {...field('email')}
        />
        {isChanged && <ConfirmField proof={proof} />}
      </ChangeForm>
    </Card>
  )
}

function PlanCard() {
  const { user } = useSignedIn()
  const { status, expires_at: endsAt } = user.subscription
  const { has_plans: hasPlans, requests_per_hour: limit } = user
  const planFacts: [string, string][] = [
    [accountStrings.planName, user.plan[0]!.toUpperCase() + user.plan.slice(1)],
    [accountStrings.status, accountStrings.statuses[status] ?? status],
    [accountStrings.ends, endsAt === null ? accountStrings.forEver : shortDate(endsAt)],
  ]
  const linkFacts: [string, string][] =
    user.links === null
      ? []
      : [[accountStrings.links, keyStrings.usageOf(fullNumber(user.links.count), fullNumber(user.links.max))]]
  const facts: [string, string][] = [
    ...(hasPlans ? planFacts : []),
    [accountStrings.limit, limit === null ? keyStrings.noLimit : fullNumber(limit)],
    ...linkFacts,
    [accountStrings.since, shortDate(user.created_at)],
  ]
  return (
    <Card title={hasPlans ? accountStrings.plan : accountStrings.limits}>
      <div className="form">
        <dl className="facts">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {user.role === 'user' && (
          <p className="hint">{hasPlans ? accountStrings.planHint : accountStrings.limitsHint}</p>
        )}
      </div>
    </Card>
  )
}
