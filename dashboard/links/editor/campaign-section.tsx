import { Megaphone } from 'lucide-react'
import { useRef } from 'react'
import { TextField } from '../../components/field.tsx'
import { Section } from '../../components/section.tsx'
import { lazyStrings } from '../../strings/lazy-strings.ts'
import type { LinkFields } from './use-link-form.ts'
import { readUtm, UTM_NAMES, withoutUtm, writeUtm } from './utm.ts'

const { campaign } = lazyStrings.editor
const ROWS = [
  { className: 'field-pair', names: UTM_NAMES.slice(0, 2) },
  { className: 'field-triple', names: UTM_NAMES.slice(2) },
]

/** Another way to write the destination: what is typed here shows there, and the other way round. */
export function CampaignSection({ fields: { form, set } }: { fields: LinkFields }) {
  const url = form.original_url
  const first = useRef<HTMLInputElement>(null)
  const values = UTM_NAMES.map((name) => readUtm(url, name)).filter((value) => value !== '')
  const hasUrl = url.trim() !== ''
  const clear = () => {
    set({ original_url: withoutUtm(url) })
    // The button goes, and would take the focus with it.
    first.current?.focus()
  }
  return (
    <Section
      icon={Megaphone}
      title={campaign.name}
      summary={values.length === 0 ? campaign.none : values.join(' / ')}
      isSet={values.length > 0}
      hasErrors={false}
    >
      {ROWS.map(({ className, names }) => (
        <div key={className} className={className}>
          {names.map((name) => (
            <TextField
              key={name}
              {...(name === 'source' ? { ref: first } : {})}
              label={campaign.fields[name]}
              placeholder={campaign.examples[name]}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              disabled={!hasUrl}
              value={readUtm(url, name)}
              onText={(text) => set({ original_url: writeUtm(url, name, text) })}
            />
          ))}
        </div>
      ))}
      <p className="hint">
        {hasUrl ? campaign.hint : campaign.noUrl}{' '}
        {values.length > 0 && (
          <button type="button" className="text-button" onClick={clear}>
            {campaign.clear}
          </button>
        )}
      </p>
    </Section>
  )
}
