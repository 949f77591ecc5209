import { use, useState } from 'react'
import type { ShareView } from '../../src/http/endpoints/browser-types.ts'
import { TextButton } from '../components/button.tsx'
import { FormError, PasswordField } from '../components/fields/field.tsx'
import { TimeField } from '../components/fields/time-field.tsx'
import { errorsOf } from '../components/states.tsx'
import { isoTime, localTime, useScheduleZone } from '../links/editor/zone-times.ts'
import { nowMs } from '../now.ts'
import { panelsOf, type useShareForm } from './share-form.ts'
import type { ShareSubject } from './share-queries.ts'
import { shareStrings as texts } from './share-strings.ts'

type ShareFieldsProps = {
  subject: ShareSubject
  share: ShareView
  fields: ReturnType<typeof useShareForm>
  canShare: boolean
}

/** What visitors see, until when, and with which password. */
export function ShareFields({ subject, share, fields: { form, set, toggle }, canShare }: ShareFieldsProps) {
  return (
    <>
      <fieldset className="share-panels" disabled={!canShare}>
        <legend>{texts.panels}</legend>
        {panelsOf(subject).map((panel) => (
          <label key={panel} className="check-line">
            <input
              type="checkbox"
              checked={form.panels.includes(panel)}
              onChange={({ target }) => toggle(panel, target.checked)}
            />
            {texts.panel[panel]}
          </label>
        ))}
        <p className="hint">{subject.kind === 'link' ? texts.alwaysOfLink : texts.always}</p>
      </fieldset>
      {canShare && (
        <div className="field-pair">
          <EndField endsAt={form.endsAt} onEnd={(endsAt) => set({ endsAt })} />
          <SharePassword
            share={share}
            password={form.password}
            onPassword={(password) => set({ password })}
          />
        </div>
      )}
    </>
  )
}

type EndFieldProps = { endsAt: string | null; onEnd: (endsAt: string | null) => void }

function EndField({ endsAt, onEnd }: EndFieldProps) {
  const { zone, hint } = useScheduleZone()
  const isOver = endsAt !== null && Date.parse(endsAt) <= nowMs()
  return (
    <TimeField
      label={texts.ends}
      names={texts.endsNames}
      none={texts.never}
      value={localTime(endsAt, zone)}
      onTime={(time) => onEnd(isoTime(time, zone))}
      hint={isOver ? texts.over : endsAt === null ? undefined : hint}
      errors={errorsOf(use(FormError), 'ends_at')}
    />
  )
}

type SharePasswordProps = {
  share: ShareView
  password: string | null | undefined
  onPassword: (password: string | null | undefined) => void
}

/** One that is stored is replaced or removed, and not shown. */
function SharePassword({ share, password, onPassword }: SharePasswordProps) {
  const [isReplacing, setReplacing] = useState(false)
  const isKept = share.has_password && password === undefined && !isReplacing
  if (isKept)
    return (
      <div className="field" role="group" aria-label={texts.password}>
        <span className="label-line">
          <span>{texts.password}</span>
          <TextButton onClick={() => setReplacing(true)}>{texts.replace}</TextButton>
          <TextButton onClick={() => onPassword(null)}>{texts.remove}</TextButton>
        </span>
        <p className="hint">{texts.hasPassword}</p>
      </div>
    )
  return (
    <PasswordField
      label={texts.password}
      placeholder={texts.noPassword}
      hint={password ? texts.passwordHint : undefined}
      autoComplete="new-password"
      apiName="password"
      value={password ?? ''}
      onText={(text) =>
        onPassword(text === '' ? (share.has_password && !isReplacing ? null : undefined) : text)
      }
    />
  )
}
