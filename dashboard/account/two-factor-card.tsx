import { useState } from 'react'
import { ask } from '../api-client.ts'
import { fullNumber } from '../format.ts'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { useSignedIn } from '../use-session.ts'
import { accountStrings } from './account-strings.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { EnableTwoFactorDialog } from './turn-on-dialog.tsx'

export function TwoFactorCard() {
  const { has_two_factor: isOn, recovery_codes_left: left } = useSignedIn().user.security
  const [opened, setOpened] = useState<'on' | 'codes' | 'off'>()
  const close = () => setOpened(undefined)
  return (
    <Card title={accountStrings.twoFactor} actions={isOn && <Badge tone="ok">{accountStrings.on}</Badge>}>
      <div className="switch-line is-middle wraps">
        <p className="soft">
          {isOn ? accountStrings.twoFactorOn(fullNumber(left)) : accountStrings.twoFactorOff}
        </p>
        <div className="actions">
          {isOn && <Button onClick={() => setOpened('codes')}>{accountStrings.newCodes}</Button>}
          <Button key="switch" onClick={() => setOpened(isOn ? 'off' : 'on')}>
            {isOn ? accountStrings.turnOff : accountStrings.turnOn}
          </Button>
        </div>
      </div>
      {opened === 'on' && <EnableTwoFactorDialog onClose={close} />}
      {opened === 'codes' && <NewCodesDialog onClose={close} />}
      {opened === 'off' && (
        <ConfirmDialog
          title={accountStrings.twoFactor}
          text={accountStrings.turnOffText}
          action={accountStrings.turnOff}
          variant="danger"
          change={(password) => ask('DELETE /two-factor', { input: { password } })}
          saidAfter={accountStrings.turnedOff}
          onDone={close}
          onClose={close}
        />
      )}
    </Card>
  )
}

function NewCodesDialog({ onClose }: { onClose: () => void }) {
  const [codes, setCodes] = useState<string[]>()
  if (codes !== undefined) return <RecoveryCodes codes={codes} onClose={onClose} />
  return (
    <ConfirmDialog
      title={accountStrings.newCodes}
      text={accountStrings.newCodesText}
      action={accountStrings.makeCodes}
      change={(password) => ask('POST /two-factor/recovery-codes', { input: { password } })}
      onDone={({ data }) => setCodes(data.recovery_codes)}
      onClose={onClose}
    />
  )
}
