import { useState } from 'react'
import { ask } from '../api-client.ts'
import { fullNumber, shortDate } from '../format.ts'
import { Button } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { TextField } from '../components/fields/field.tsx'
import { Form } from '../components/fields/form.tsx'
import { errorsOf, Notice } from '../components/states.tsx'
import { useSignedIn } from '../use-session.ts'
import { accountStrings } from './account-strings.ts'
import { keyStrings } from '../keys/key-strings.ts'
import { strings } from '../strings.ts'
import { useAccountChange } from './account-queries.ts'
import { ConfirmField, useProof } from './confirm-field.tsx'

export const ProfileTab = () => (
  <>
    <NameCard />
    <EmailCard />
    <PlanCard />
  </>
)

function NameCard() {
  const { user } = useSignedIn()
  const [name, setName] = useState(user.name)
  const change = useAccountChange(
    (input: { name: string }) => ask('PUT /account', { input }),
    accountStrings.saved,
  )
  return (
    <Card title={accountStrings.name}>
      <Form error={change.error} onSubmit={() => change.mutate({ name: name.trim() })}>
        <TextField
          label={accountStrings.name}
          value={name}
          onText={setName}
          autoComplete="name"
          errors={errorsOf(change.error, 'name')}
        />
        <div className="actions">
          <Button
            type="submit"
            missing={name.trim() === user.name ? strings.missing.changes : undefined}
            isBusy={change.isPending}
          >
            {strings.actions.save}
          </Button>
        </div>
      </Form>
    </Card>
  )
}

function EmailCard() {
  const { user, instance } = useSignedIn()
  const [email, setEmail] = useState(user.email)
  const proof = useProof()
  const change = useAccountChange((input: { email: string; password: string }) =>
    ask('POST /account/email', { input }),
  )
  const newEmail = email.trim()
  const isChanged = newEmail !== user.email
  const input = { email: newEmail, password: proof.password }
  const save = () => change.mutate(input, { onSuccess: () => proof.onPassword('') })
  const requested = change.isSuccess ? change.variables.email : undefined
  return (
    <Card title={accountStrings.email}>
      <Form error={change.error} onSubmit={save}>
        <div role="status">
          {requested !== undefined && requested !== user.email && (
            <Notice>
              {instance.sends_mail
                ? accountStrings.emailRequested(requested)
                : accountStrings.emailOutbox(requested)}
            </Notice>
          )}
        </div>
        <TextField
          label={accountStrings.email}
          hint={instance.sends_mail ? accountStrings.emailHint : undefined}
          type="email"
          autoComplete="email"
          value={email}
          onText={setEmail}
          errors={errorsOf(change.error, 'email')}
        />
        {isChanged && <ConfirmField proof={proof} error={change.error} />}
        <div className="actions">
          <Button
            type="submit"
            missing={isChanged ? proof.missing : strings.missing.changes}
            isBusy={change.isPending}
          >
            {accountStrings.changeEmail}
          </Button>
        </div>
      </Form>
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
