import { SlidersHorizontal } from 'lucide-react'
import { useRef } from 'react'
import { withoutScheme } from '../../format.ts'
import { SelectField, TextField } from '../../components/field.tsx'
import { Section } from '../../components/section.tsx'
import { Notice } from '../../components/states.tsx'
import { SwitchRow } from '../../components/switch.tsx'
import { lazyStrings } from '../../strings/lazy-strings.ts'
import type { LinkForm } from './link-form.ts'
import type { LinkFields } from './use-link-form.ts'

const { advanced } = lazyStrings.editor
const NAMES = ['forward_query', 'redirect_status', 'external_id', 'archived'] as const
const STATUSES = ['302', '301', '307', '308'] as const
/** Browsers may keep them. */
const PERMANENT = new Set(['301', '308'])

type AdvancedSectionProps = { fields: LinkFields; shortUrl: string }

export function AdvancedSection({ fields: { form, set, errorsFor }, shortUrl }: AdvancedSectionProps) {
  const status = form.redirect_status
  const statusSelect = useRef<HTMLSelectElement>(null)
  const setDefault = () => {
    set({ redirect_status: '302' })
    // The button goes, and would take the focus with it.
    statusSelect.current?.focus()
  }
  return (
    <Section
      icon={SlidersHorizontal}
      title={advanced.name}
      summary={summaryOf(form)}
      isSet={form.forward_query || form.archived || status !== '302' || form.external_id !== ''}
      hasErrors={NAMES.some(errorsFor)}
    >
      <SwitchRow
        label={advanced.forward}
        text={advanced.forwardHint(withoutScheme(shortUrl))}
        isOn={form.forward_query}
        onSwitch={(isOn) => set({ forward_query: isOn })}
      />
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
          {advanced.permanent(status)}{' '}
          <button type="button" className="text-button" onClick={setDefault}>
            {advanced.useDefault}
          </button>
        </Notice>
      )}
      <TextField
        label={advanced.externalId}
        hint={advanced.externalIdHint}
        maxLength={255}
        spellCheck={false}
        autoComplete="off"
        value={form.external_id}
        onText={(text) => set({ external_id: text })}
        errors={errorsFor('external_id')}
      />
      <SwitchRow
        label={advanced.archived}
        text={advanced.archivedHint}
        isOn={form.archived}
        onSwitch={(isOn) => set({ archived: isOn })}
      />
    </Section>
  )
}

const summaryOf = ({ redirect_status: status, forward_query: forwards, archived }: LinkForm): string =>
  [
    status,
    forwards ? advanced.forwarded : advanced.notForwarded,
    ...(archived ? [advanced.archivedShort] : []),
  ].join(', ')
