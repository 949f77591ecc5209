import { KeyRound, Plus } from 'lucide-react'
import { type Account, api } from '../api-client.ts'
import { relativeTime, shortDate } from '../format.ts'
import { Button } from '../parts/button.tsx'
import { Card } from '../parts/card.tsx'
import { FormFailure, NoticeLine } from '../parts/states.tsx'
import { RequestFailure } from '../request.ts'
import { words } from '../words.ts'
import { useAccountChange } from './account-queries.ts'
import { makePasskey } from './passkey.ts'

const { account: texts } = words

export function PasskeysCard({ passkeys }: { passkeys: Account['security']['passkeys'] }) {
  const add = useAccountChange(async () => {
    const { data: options } = await api.passkeyOptions()
    const answer = await makePasskey(options)
    return api.addPasskey({ name: deviceName(), answer })
  })
  const remove = useAccountChange(api.removePasskey)
  const isSupported = 'PublicKeyCredential' in window
  const isRefusedByDevice = add.error !== null && !(add.error instanceof RequestFailure)
  return (
    <Card title={texts.passkeys}>
      <div className="form">
        <p className="soft">{texts.passkeysText}</p>
        {isRefusedByDevice ? (
          <NoticeLine tone="bad">{texts.passkeyRefused}</NoticeLine>
        ) : (
          <FormFailure error={add.error ?? remove.error} />
        )}
        {passkeys.length > 0 && (
          <ul className="rows">
            {passkeys.map(({ id, name, created_at, last_used_at: usedAt }) => (
              <li key={id}>
                <KeyRound size={18} aria-hidden />
                <div>
                  <strong>{name}</strong>
                  <div className="hint">
                    {usedAt ? texts.lastUsed(relativeTime(usedAt)) : texts.added(shortDate(created_at))}
                  </div>
                </div>
                <Button
                  size="small"
                  look="danger"
                  aria-label={`${texts.remove}: ${name}`}
                  isBusy={remove.isPending && remove.variables === id}
                  onClick={() => remove.mutate(id)}
                >
                  {texts.remove}
                </Button>
              </li>
            ))}
          </ul>
        )}
        <div className="actions">
          {isSupported ? (
            <Button icon={Plus} isBusy={add.isPending} onClick={() => add.mutate(undefined)}>
              {texts.addPasskey}
            </Button>
          ) : (
            <span className="hint">{texts.passkeyUnsupported}</span>
          )}
        </div>
      </div>
    </Card>
  )
}

/** What the person may call this device: its system is what they know it by. */
function deviceName(): string {
  const systems = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac', 'Linux']
  return systems.find((name) => navigator.userAgent.includes(name)) ?? texts.passkeys
}
