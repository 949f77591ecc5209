import { Plus, X } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { ask } from '../api/api-client.ts'
import { Button, IconButton } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { ColorField } from '../components/fields/color-field.tsx'
import { Combobox } from '../components/pickers/combobox.tsx'
import { TextField } from '../components/fields/field.tsx'
import { Form, useFields } from '../components/fields/form.tsx'
import { FailedCard, hasFailed } from '../components/states.tsx'
import { SwitchRow } from '../components/fields/switch.tsx'
import { TIME_ZONES } from '../components/fields/time-field.tsx'
import { useErrorToast } from '../components/dialogs/toasts.tsx'
import type { SettingsInput, WorkspaceSettings } from '../../src/http/endpoints/browser-types.ts'
import { CodeStyleCard } from './code-style-card.tsx'
import { strings } from '../strings.ts'
import { workspaceStrings } from './workspace-strings.ts'
import { type ChangeOptions, useChange } from '../api/use-change.ts'
import { SESSION, useSignedIn } from '../use-session.ts'
import { useSettled } from '../use-settled.ts'
import { useSettingsChange, useWorkspaceSettings } from './use-settings.ts'

const { page: texts } = workspaceStrings
const COLORS_MAX = 8
const SETTLED_MS = 600
const NEW_COLOR = '#1a73e8'

type Change = { name?: string; requires_second_factor?: boolean }

const useWorkspaceEdit = (options: Pick<ChangeOptions<unknown, Change>, 'onError'> = {}) =>
  useChange((input: Change) => ask('PUT /workspace', { input }), {
    ...options,
    said: texts.saved,
    rereads: [SESSION],
  })

export function NameCard() {
  const { user } = useSignedIn()
  const { values, field } = useFields({ name: user.workspace.name })
  const name = values.name.trim()
  const edit = useWorkspaceEdit()
  const save = () => (name === user.workspace.name ? undefined : edit.mutateAsync({ name }))
  return (
    <Card title={texts.general}>
      <Form error={edit.error} onSubmit={save}>
        <TextField
          label={workspaceStrings.name}
          hint={texts.nameHint}
          autoComplete="organization"
          onBlur={() => void save()?.catch(() => {})}
          {...field('name')}
        />
      </Form>
    </Card>
  )
}

/** Shown once the stored settings are there. */
export function SettingsCards() {
  const settings = useWorkspaceSettings()
  if (hasFailed(settings)) return <FailedCard what={workspaceStrings.page.title} query={settings} />
  if (settings.data === undefined) return null
  return (
    <>
      <LinkSettingsCard settings={settings.data} />
      <CodeStyleCard settings={settings.data} />
      <ColorsCard stored={settings.data.brand_colors} />
    </>
  )
}

type Settings = { settings: WorkspaceSettings }

const useSaving = () =>
  useSettingsChange((_, input: SettingsInput) => input, { said: texts.saved, onError: useErrorToast() })
    .mutate

function LinkSettingsCard({ settings }: Settings) {
  const save = useSaving()
  return (
    <Card title={strings.nav.links}>
      <div className="form">
        <Combobox
          label={texts.timezone}
          hint={texts.timezoneHint}
          options={[{ value: '', label: texts.timezoneBrowser }, ...TIME_ZONES]}
          none={texts.timezoneNone}
          value={settings.timezone ?? ''}
          allowsOwn={false}
          onValue={(zone) => save({ timezone: zone === '' ? null : zone })}
        />
        <SwitchRow
          label={texts.previews}
          text={texts.previewsHint}
          isOn={settings.preview_pages}
          onSwitch={(isOn) => save({ preview_pages: isOn })}
        />
        <SwitchRow
          label={texts.visitorUtm}
          text={texts.visitorUtmHint}
          isOn={settings.count_visitor_utm}
          onSwitch={(isOn) => save({ count_visitor_utm: isOn })}
        />
      </div>
    </Card>
  )
}

function ColorsCard({ stored }: { stored: readonly string[] }) {
  const [colors, setColors] = useState([...stored])
  const save = useSaving()
  // Choosing a color passes many others.
  const shownColors = useSettled(colors.join(), SETTLED_MS)
  const saveSettled = useEffectEvent(() => {
    if (shownColors !== stored.join())
      save({ brand_colors: shownColors === '' ? [] : shownColors.split(',') })
  })
  useEffect(() => saveSettled(), [shownColors])
  return (
    <Card title={texts.colors}>
      <div className="form">
        <p className="hint">{texts.colorsHint}</p>
        <div className="color-list">
          {colors.map((color, at) => (
            <span key={at}>
              <ColorField
                label={texts.color(at + 1)}
                value={color}
                onColor={(next) => setColors(colors.with(at, next))}
              />
              <IconButton
                icon={X}
                label={texts.removeColor(at + 1)}
                onClick={() => setColors(colors.toSpliced(at, 1))}
              />
            </span>
          ))}
        </div>
        <div className="actions">
          {colors.length < COLORS_MAX && (
            <Button icon={Plus} onClick={() => setColors([...colors, NEW_COLOR])}>
              {texts.addColor}
            </Button>
          )}
        </div>
      </div>
    </Card>
  )
}

export function SecurityCard() {
  const { user } = useSignedIn()
  const edit = useWorkspaceEdit({ onError: useErrorToast() })
  return (
    <Card title={texts.security}>
      <SwitchRow
        label={texts.factor}
        text={texts.factorHint}
        isOn={user.workspace.requires_second_factor}
        onSwitch={(isOn) => edit.mutate({ requires_second_factor: isOn })}
      />
    </Card>
  )
}
