import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import type { PasskeyView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { ask } from '../api-client.ts'
import { exactTime, relativeTime, shortDate } from '../format.ts'
import { Button } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { Failed } from '../components/states.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { lazyStrings } from '../strings/lazy-strings.ts'
import { AddPasskeyDialog } from './add-passkey-dialog.tsx'
import { usePasskeys } from './account-queries.ts'
import { hasPasskeySupport } from './passkey.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

const { account: texts } = lazyStrings

export function PasskeysCard() {
  const { data: passkeys, error, refetch } = usePasskeys()
  const [opened, setOpened] = useState<'add' | PasskeyView>()
  const close = () => setOpened(undefined)
  if (error !== null && passkeys === undefined) {
    return (
      <Card title={texts.passkeys}>
        <Failed error={error} onRetry={() => void refetch()} />
      </Card>
    )
  }
  return (
    <Card title={texts.passkeys}>
      <div className="form">
        <p className="soft">{texts.passkeysText}</p>
        {passkeys === undefined ? (
          <Skeleton width={260} height={42} />
        ) : (
          passkeys.length > 0 && <PasskeyList passkeys={passkeys} onRemove={setOpened} />
        )}
        <div className="actions">
          {hasPasskeySupport() ? (
            <Button icon={Plus} onClick={() => setOpened('add')}>
              {texts.addPasskey}
            </Button>
          ) : (
            <span className="hint">{texts.passkeyUnsupported}</span>
          )}
        </div>
      </div>
      {opened === 'add' && <AddPasskeyDialog onClose={close} />}
      {typeof opened === 'object' && <RemoveDialog passkey={opened} onClose={close} />}
    </Card>
  )
}

type PasskeyListProps = { passkeys: PasskeyView[]; onRemove: (passkey: PasskeyView) => void }

const PasskeyList = ({ passkeys, onRemove }: PasskeyListProps) => (
  <ul className="rows" aria-label={texts.passkeys}>
    {passkeys.map((passkey) => (
      <li key={passkey.id}>
        <KeyRound size={18} aria-hidden />
        <div>
          <strong>{passkey.name}</strong>
          <div className="hint" title={exactTime(passkey.last_used_at ?? passkey.created_at)}>
            {passkey.last_used_at === null
              ? texts.added(shortDate(passkey.created_at))
              : texts.lastUsed(relativeTime(passkey.last_used_at))}
          </div>
        </div>
        <Button
          size="small"
          variant="danger"
          aria-label={`${texts.remove}: ${passkey.name}`}
          onClick={() => onRemove(passkey)}
        >
          {texts.remove}
        </Button>
      </li>
    ))}
  </ul>
)

const RemoveDialog = ({ passkey: { id, name }, onClose }: { passkey: PasskeyView; onClose: () => void }) => (
  <ConfirmDialog
    title={texts.removePasskey(name)}
    text={texts.removePasskeyText}
    action={texts.remove}
    variant="danger"
    change={(password) => ask('DELETE /passkeys/{id}', { path: { id }, input: { password } })}
    saidAfter={texts.removed}
    onDone={onClose}
    onClose={onClose}
  />
)
