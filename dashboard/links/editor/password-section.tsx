import { Lock } from 'lucide-react'
import { TextField, VERBATIM } from '../../components/fields/field.tsx'
import { Section } from './section.tsx'
import { SwitchRow } from '../../components/fields/switch.tsx'
import { editorStrings } from './editor-strings.ts'
import { STORED } from './link-form.ts'
import type { LinkFields } from './use-link-form.ts'
import { TextButton } from '../../components/button.tsx'

const { password: texts } = editorStrings

const SAFE_LENGTH_MIN = 8

const isShort = (password: string): boolean => password !== '' && [...password].length < SAFE_LENGTH_MIN

type PasswordSectionProps = { fields: LinkFields; onOpen: () => void }

export function PasswordSection({ fields: { form, before, set, errorsFor }, onOpen }: PasswordSectionProps) {
  const { password } = form
  const errors = errorsFor('password')
  return (
    <Section
      icon={Lock}
      title={texts.name}
      summary={password === null ? texts.none : texts.set}
      isSet={password !== null}
      hasErrors={errors !== undefined}
      onOpen={onOpen}
    >
      <SwitchRow
        label={texts.ask}
        text={texts.askHint}
        isOn={password !== null}
        onSwitch={(isOn) => set({ password: isOn ? (before.password ?? '') : null })}
      />
      {password === STORED && (
        <p className="hint">
          {texts.stored} <TextButton onClick={() => set({ password: '' })}>{texts.replace}</TextButton>
        </p>
      )}
      {typeof password === 'string' && (
        <TextField
          label={texts.password}
          hint={isShort(password) ? `${texts.short} ${texts.hint}` : texts.hint}
          {...VERBATIM}
          // After “Replace”, whose button is gone then.
          autoFocus
          value={password}
          onText={(text) => set({ password: text })}
          errors={errors}
        />
      )}
    </Section>
  )
}
