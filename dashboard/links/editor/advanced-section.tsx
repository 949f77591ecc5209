import { SlidersHorizontal } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { withoutScheme } from '../../format.ts'
import { SelectField, TextField } from '../../components/fields/field.tsx'
import { Section } from './section.tsx'
import { TagInput } from '../../components/fields/tag-input.tsx'
import { Notice } from '../../components/states.tsx'
import { SwitchRow } from '../../components/fields/switch.tsx'
import { editorStrings } from './editor-strings.ts'
import { fieldStrings, PLAIN_TEXTS } from '../field-strings.ts'
import { codesOf, type LinkForm, newForm, type QueryChoice } from './link-form.ts'
import type { LinkFields } from './use-link-form.ts'
import { TextButton } from '../../components/button.tsx'

const { advanced } = editorStrings
const NAMES = [
  'aliases',
  'forward_query',
  'forward_path',
  'redirect_status',
  'archived',
  ...PLAIN_TEXTS,
] as const
const STATUSES = ['302', '301', '307', '308'] as const
const QUERY_CHOICES = ['off', 'add', 'replace'] as const satisfies QueryChoice[]
const DEFAULTS = newForm('')
/** Browsers may keep them. */
const PERMANENT = new Set(['301', '308'])

type AdvancedSectionProps = {
  fields: LinkFields
  shortUrl: string
  /** The input, which can be asked for from elsewhere in the form. */
  otherCodes: RefObject<HTMLInputElement | null>
}

export function AdvancedSection({ fields, shortUrl, otherCodes }: AdvancedSectionProps) {
  const { form, set, errorsFor } = fields
  return (
    <Section
      icon={SlidersHorizontal}
      title={advanced.name}
      summary={summaryOf(form)}
      isSet={NAMES.some((name) => form[name] !== DEFAULTS[name])}
      hasErrors={NAMES.some(errorsFor)}
    >
      <OtherCodes fields={fields} input={otherCodes} />
      <SelectField
        label={advanced.forward}
        hint={advanced.forwardHints[form.forward_query](withoutScheme(shortUrl))}
        value={form.forward_query}
        onChoice={(choice) => set({ forward_query: choice })}
        choices={QUERY_CHOICES.map((value) => ({ value, label: advanced.forwardChoices[value] }))}
        errors={errorsFor('forward_query')}
      />
      <SwitchRow
        label={advanced.forwardPath}
        text={advanced.forwardPathHint(withoutScheme(shortUrl))}
        isOn={form.forward_path}
        onSwitch={(isOn) => set({ forward_path: isOn })}
      />
      <RedirectStatus fields={fields} />
      {PLAIN_TEXTS.map((name) => (
        <TextField
          key={name}
          {...fieldStrings.inputs[name]}
          spellCheck={false}
          autoComplete="off"
          {...fields.text(name)}
        />
      ))}
      <SwitchRow
        label={advanced.archived}
        text={advanced.archivedHint}
        isOn={form.archived}
        onSwitch={(isOn) => set({ archived: isOn })}
      />
    </Section>
  )
}

const SPACE_OR_COMMA = /[\s,]+/
const isCode = (text: string) => /^[A-Za-z0-9_-]{3,64}$/.test(text)

type OtherCodesProps = { fields: LinkFields; input: AdvancedSectionProps['otherCodes'] }

function OtherCodes({ fields: { form, set, errorsFor }, input }: OtherCodesProps) {
  const aliasErrors = errorsFor('aliases')
  // Imported ones may be of any kind.
  const [kept] = useState(() => new Set(codesOf(form.aliases)))
  return (
    <TagInput
      ref={input}
      label={advanced.aliases}
      placeholder={advanced.aliasPlaceholder}
      hint={advanced.aliasesHint}
      autoCapitalize="none"
      spellCheck={false}
      separator={SPACE_OR_COMMA}
      values={codesOf(form.aliases)}
      onValues={(next) => set({ aliases: next.join(' ') })}
      errors={aliasErrors}
      errorOf={(code) =>
        aliasErrors?.find((error) => error.startsWith(`${code}: `)) ??
        (isCode(code) || kept.has(code) ? undefined : advanced.aliasWrong(code))
      }
    />
  )
}

function RedirectStatus({ fields: { form, set, errorsFor } }: { fields: LinkFields }) {
  const status = form.redirect_status
  const statusSelect = useRef<HTMLSelectElement>(null)
  const setDefault = () => {
    set({ redirect_status: '302' })
    // The button goes, and would take the focus with it.
    statusSelect.current?.focus()
  }
  return (
    <>
      <SelectField
        ref={statusSelect}
        label={advanced.status}
        value={status}
        onChoice={(choice) => set({ redirect_status: choice })}
        choices={STATUSES.map((value) => ({ value, label: advanced.statuses[value] }))}
        errors={errorsFor('redirect_status')}
      />
      {PERMANENT.has(status) && (
        <Notice tone="warn">
          {advanced.permanent(status)} <TextButton onClick={setDefault}>{advanced.useDefault}</TextButton>
        </Notice>
      )}
    </>
  )
}

function summaryOf({ redirect_status: status, forward_query: forwards, ...form }: LinkForm): string {
  const aliases = codesOf(form.aliases).length
  return [
    ...(aliases > 0 ? [advanced.aliasCount(aliases)] : []),
    status,
    advanced.forwarded[forwards],
    ...(form.forward_path ? [advanced.pathForwarded] : []),
    ...(form.archived ? [advanced.archivedShort] : []),
  ].join(', ')
}
