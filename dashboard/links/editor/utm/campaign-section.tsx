import { Megaphone } from 'lucide-react'
import { useRef, useState } from 'react'
import { CopyButton } from '../../../components/copy.tsx'
import { Section } from '../section.tsx'
import { editorStrings } from '../editor-strings.ts'
import { ruleStrings } from '../rules/rule-strings.ts'
import { useData } from '../../../api/use-data.ts'
import { useWorkspaceSettings } from '../../../workspaces/use-settings.ts'
import { areSameRules, withUrls } from '../rules/rule-form.ts'
import type { LinkFields } from '../use-link-form.ts'
import { UtmTemplates } from './utm-templates.tsx'
import {
  otherSpelling,
  readUtm,
  UTM_NAMES,
  type UtmName,
  utmParts,
  withoutUtm,
  withUtmOf,
  writeUtm,
} from './utm.ts'
import { TextButton } from '../../../components/button.tsx'
import { Combobox } from '../../../components/pickers/combobox.tsx'

const { campaign } = editorStrings
const ROWS = [
  { className: 'field-pair', names: UTM_NAMES.slice(0, 2) },
  { className: 'field-triple', names: UTM_NAMES.slice(2) },
]

/** Another way to write the destination: what is typed here shows there, and the other way round. */
export function CampaignSection({ fields }: { fields: LinkFields }) {
  const { form, set } = fields
  const url = form.original_url
  const [isOpen, setOpen] = useState(false)
  const settings = useWorkspaceSettings(isOpen)
  const usedValues = useData('GET /utm-values', { enabled: isOpen })
  const element = useRef<HTMLDivElement>(null)
  const values = UTM_NAMES.map((name) => readUtm(url, name)).filter((value) => value !== '')
  const hasUrl = url.trim() !== ''
  const setUrl = (next: string) => set({ original_url: next })
  const clear = () => {
    setUrl(withoutUtm(url))
    // The button goes, and would take the focus with it.
    element.current?.querySelector<HTMLElement>('[data-utm=source] input')?.focus()
  }
  return (
    <Section
      icon={Megaphone}
      title={campaign.name}
      summary={values.length === 0 ? campaign.none : values.join(' / ')}
      isSet={values.length > 0}
      hasErrors={false}
      onOpen={() => setOpen(true)}
    >
      <div ref={element} className="utm-fields">
        <div className="utm-tools">
          <UtmTemplates url={url} onUrl={setUrl} templates={settings.data?.utm_templates} />
          {values.length > 0 && <TextButton onClick={clear}>{campaign.clear}</TextButton>}
        </div>
        {ROWS.map(({ className, names }) => (
          <div key={className} className={className}>
            {names.map((name) => (
              <UtmField
                key={name}
                name={name}
                url={url}
                onUrl={setUrl}
                used={usedValues.data?.[name] ?? (usedValues.isError ? [] : undefined)}
                isDisabled={!hasUrl}
              />
            ))}
          </div>
        ))}
        {values.length > 0 ? (
          <>
            <WrittenUrl url={url} />
            {form.rules.length > 0 && <AddToRules fields={fields} />}
          </>
        ) : (
          <p className="hint">{hasUrl ? campaign.hint : campaign.noUrl}</p>
        )}
      </div>
    </Section>
  )
}

/** Rules have URLs of their own. */
function AddToRules({ fields: { form, set } }: { fields: LinkFields }) {
  const rules = withUrls(form.rules, (to) => withUtmOf(form.original_url, to))
  const isAdded = areSameRules(rules, form.rules)
  return (
    <p className="hint">
      <TextButton aria-disabled={isAdded} onClick={() => set({ rules })}>
        {ruleStrings.campaign.addToAll}
      </TextButton>{' '}
      <span role="status">{isAdded && ruleStrings.campaign.added}</span>
    </p>
  )
}

const WrittenUrl = ({ url }: { url: string }) => (
  <div className="code-block utm-url" role="group" aria-label={campaign.written}>
    <span className="hint">{campaign.written}</span>
    <div className="code">
      {utmParts(url).map(({ kind, text }, at) =>
        kind === 'value' ? <strong key={at}>{text}</strong> : kind === 'utm' ? <b key={at}>{text}</b> : text,
      )}
    </div>
    <CopyButton text={url} label={campaign.copyUrl} />
  </div>
)

type UtmFieldProps = {
  name: UtmName
  url: string
  onUrl: (url: string) => void
  /** Values that the workspace has used; undefined while they are loading. */
  used: readonly string[] | undefined
  isDisabled: boolean
}

/** One parameter, with the values that were used before: two spellings would be two sources in the analytics. */
function UtmField({ name, url, onUrl, used, isDisabled }: UtmFieldProps) {
  const element = useRef<HTMLDivElement>(null)
  const value = readUtm(url, name)
  const other = otherSpelling(value, used ?? [])
  const write = (text: string) => onUrl(writeUtm(url, name, text))
  const takeOther = () => {
    write(other!)
    // The button goes, and would take the focus with it.
    element.current?.querySelector('input')?.focus()
  }
  return (
    <div ref={element} data-utm={name}>
      <Combobox
        label={campaign.fields[name]}
        placeholder={campaign.examples[name]}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={200}
        disabled={isDisabled}
        options={used?.map((text) => ({ value: text, label: text }))}
        value={value}
        allowsOwn
        onValue={write}
        hint={
          other !== undefined && (
            <>
              {campaign.usedBefore(other)} <TextButton onClick={takeOther}>{campaign.useIt}</TextButton>
            </>
          )
        }
      />
    </div>
  )
}
