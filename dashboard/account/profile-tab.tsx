import { type FormEvent, useState } from 'react'
import { type Account, api } from '../api-client.ts'
import { fullNumber, shortDate } from '../format.ts'
import { Button } from '../parts/button.tsx'
import { Card } from '../parts/card.tsx'
import { TextField } from '../parts/field.tsx'
import { errorsOf, FormFailure, NoticeLine } from '../parts/states.tsx'
import { words } from '../words.ts'
import { useAccountChange } from './account-queries.ts'

const { account: texts } = words

export const ProfileTab = ({ account }: { account: Account }) => (
  <>
    <NameCard account={account} />
    <EmailCard account={account} />
    <PlanCard account={account} />
  </>
)

function NameCard({ account: { user } }: { account: Account }) {
  const [name, setName] = useState(user.name)
  const change = useAccountChange(api.editAccount, texts.saved)
  const save = (event: FormEvent) => {
    event.preventDefault()
    change.mutate({ name: name.trim() })
  }
  return (
    <Card title={texts.name}>
      <form className="form" onSubmit={save} noValidate>
        <FormFailure error={change.error} />
        <TextField
          label={texts.name}
          value={name}
          onText={setName}
          autoComplete="name"
          maxLength={255}
          errors={errorsOf(change.error, 'name')}
        />
        <div className="actions">
          <Button type="submit" disabled={name.trim() === user.name} isBusy={change.isPending}>
            {words.actions.save}
          </Button>
        </div>
      </form>
    </Card>
  )
}

function EmailCard({ account: { user } }: { account: Account }) {
  const [email, setEmail] = useState(user.email)
  const [password, setPassword] = useState('')
  const change = useAccountChange(api.changeEmail)
  const save = (event: FormEvent) => {
    event.preventDefault()
    change.mutate({ email: email.trim(), password }, { onSuccess: () => setPassword('') })
  }
  const isChanged = email.trim() !== user.email
  return (
    <Card title={texts.email}>
      <form className="form" onSubmit={save} noValidate>
        {user.pending_email && <NoticeLine tone="warn">{texts.emailPending(user.pending_email)}</NoticeLine>}
        <FormFailure error={change.error} />
        <TextField
          label={texts.email}
          hint={texts.emailHint}
          type="email"
          autoComplete="email"
          value={email}
          onText={setEmail}
          errors={errorsOf(change.error, 'email')}
        />
        {isChanged && (
          <TextField
            label={texts.password}
            type="password"
            autoComplete="current-password"
            value={password}
            onText={setPassword}
            errors={errorsOf(change.error, 'password')}
          />
        )}
        <div className="actions">
          <Button type="submit" disabled={!isChanged || password === ''} isBusy={change.isPending}>
            {words.actions.save}
          </Button>
        </div>
      </form>
    </Card>
  )
}

function PlanCard({ account: { subscription, limits, user } }: { account: Account }) {
  const { plan, expires_at: expiresAt } = subscription
  const facts: [string, string][] = [
    [texts.plan, plan[0]!.toUpperCase() + plan.slice(1)],
    [texts.renews, expiresAt === null ? texts.forEver : shortDate(expiresAt)],
    [texts.limit, fullNumber(limits.rate_limit)],
    [texts.since, shortDate(user.created_at)],
  ]
  return (
    <Card title={texts.plan}>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
