import { useState } from 'react'
import type { WorkspaceSettings } from '../../src/http/endpoints/browser-types.ts'
import { Card } from '../components/card.tsx'
import { useErrorToast } from '../components/dialogs/toasts.tsx'
import { SelectField, TextField, VERBATIM } from '../components/fields/field.tsx'
import { ChangeForm } from '../components/fields/form.tsx'
import { SwitchRow } from '../components/fields/switch.tsx'
import { errorsOf } from '../components/states.tsx'
import { strings } from '../strings.ts'
import { missingStrings } from '../components/fields/missing-strings.ts'
import { useSettingsChange } from './use-settings.ts'
import { workspaceStrings } from './workspace-strings.ts'

const { codes: texts, page } = workspaceStrings

/** How codes of new links are made, and which ones may be chosen. */
export function CodeStyleCard({ settings }: { settings: WorkspaceSettings }) {
  const allow = useSettingsChange((_, isOn: boolean) => ({ unusual_codes: isOn }), {
    said: page.saved,
    onError: useErrorToast(),
  })
  return (
    <Card title={texts.title}>
      <div className="form">
        <CodeStyleForm stored={settings.code_style ?? PLAIN} />
        <SwitchRow
          label={texts.unusual}
          text={texts.unusualHint}
          isOn={settings.unusual_codes}
          onSwitch={(isOn) => allow.mutate(isOn)}
        />
      </div>
    </Card>
  )
}

type CodeStyle = NonNullable<WorkspaceSettings['code_style']>

/** What the server takes, and with which length a guess is hopeless and the code still short. */
const KINDS: Record<CodeStyle['characters'], { min: number; max: number; usual: number }> = {
  letters_and_digits: { min: 4, max: 32, usual: 7 },
  digits: { min: 5, max: 32, usual: 8 },
  words: { min: 2, max: 5, usual: 3 },
}
const CHOICES = (Object.keys(KINDS) as CodeStyle['characters'][]).map((value) => ({
  value,
  label: texts.characters[value],
}))

/** What null in the settings stands for. */
const PLAIN: CodeStyle = {
  characters: 'letters_and_digits',
  length: KINDS.letters_and_digits.usual,
  prefix: '',
}

function CodeStyleForm({ stored }: { stored: CodeStyle }) {
  const [characters, setCharacters] = useState(stored.characters)
  const [length, setLength] = useState(String(stored.length))
  const [prefix, setPrefix] = useState(stored.prefix)
  const code_style = { characters, length: Number(length), prefix: prefix.trim() }
  const isPlain = sameStyle(code_style, PLAIN)
  const change = useSettingsChange(() => ({ code_style: isPlain ? null : code_style }), { said: page.saved })
  const { min, max } = KINDS[characters]
  return (
    <ChangeForm
      change={change}
      action={strings.actions.save}
      missing={sameStyle(code_style, stored) ? missingStrings.changes : undefined}
    >
      <SelectField
        label={texts.kind}
        hint={texts.kindHint}
        choices={CHOICES}
        value={characters}
        onChoice={(next) => {
          setCharacters(next)
          setLength(String(KINDS[next].usual))
        }}
      />
      <TextField
        label={characters === 'words' ? texts.words : texts.length}
        hint={texts.between(min, max)}
        inputMode="numeric"
        value={length}
        errors={errorsOf(change.error, 'code_style.length')}
        onText={setLength}
      />
      <TextField
        label={texts.prefix}
        hint={texts.prefixHint}
        {...VERBATIM}
        value={prefix}
        errors={errorsOf(change.error, 'code_style.prefix')}
        onText={setPrefix}
      />
    </ChangeForm>
  )
}

const sameStyle = (one: CodeStyle, other: CodeStyle): boolean =>
  one.characters === other.characters && one.length === other.length && one.prefix === other.prefix
