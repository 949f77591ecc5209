import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ask } from '../api/api-client.ts'
import { fullNumber } from '../format.ts'
import { CodeBlock } from '../components/copy.tsx'
import { FieldError, TextField } from '../components/fields/field.tsx'
import { FormDialog, useFields } from '../components/fields/form.tsx'
import { SecretDialog } from '../components/dialogs/secret-dialog.tsx'
import { errorsOf } from '../components/states.tsx'
import { SwitchRow } from '../components/fields/switch.tsx'
import { useChange } from '../api/use-change.ts'
import { useSignedIn } from '../use-session.ts'
import { keyStrings } from './key-strings.ts'
import { KeyLimitFields, NO_LIMITS, restrictionsIn } from './key-limits.tsx'

type MadeKey = { text: string; scopes: ReadonlySet<string>; isPublic: boolean }

export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const [made, setMade] = useState<MadeKey>()
  // Many users try the key while it is shown, and its usage then changes.
  const close = () => {
    for (const name of ['keys', 'usage']) void client.invalidateQueries({ queryKey: [name] })
    onClose()
  }
  return made ? <KeyOnce made={made} onClose={close} /> : <KeyForm onMade={setMade} onClose={onClose} />
}

const CREATING: ReadonlySet<string> = new Set(['links:create'])
/** What most programs do. Not every role may do the rest. */
const SCOPES_AT_FIRST: ReadonlySet<string> = new Set(['links:read', 'links:write', 'analytics:read'])

function KeyForm({ onMade, onClose }: { onMade: (made: MadeKey) => void; onClose: () => void }) {
  const { values, field } = useFields({ name: '' })
  const [scopes, setScopes] = useState(SCOPES_AT_FIRST)
  const [limit, setLimit] = useState<HourlyLimit>('')
  const [isPublic, setPublic] = useState(false)
  const [limits, setLimits] = useState(NO_LIMITS)
  const granted = isPublic ? CREATING : scopes
  const restrictions = isPublic ? restrictionsIn(limits) : null
  const isUnlimited = restrictions !== null && Object.keys(restrictions).length === 0
  const creation = useChange(() => {
    const rateLimit = limit === '' ? {} : { rate_limit: limit === null ? null : Number(limit) }
    const name = values.name.trim()
    return ask('POST /keys', { input: { name, scopes: [...granted], restrictions, ...rateLimit } })
  })
  const scopeErrors = errorsOf(creation.error, 'scopes')
  return (
    <FormDialog
      title={keyStrings.new}
      action={keyStrings.create}
      change={creation}
      missing={granted.size === 0 ? keyStrings.scopeMissing : isUnlimited ? keyStrings.none : undefined}
      onDone={({ data }) => onMade({ text: data.key, scopes: granted, isPublic })}
      onClose={onClose}
    >
      <TextField
        label={keyStrings.name}
        hint={keyStrings.nameHint}
        autoComplete="off"
        {...field('name')}
        autoFocus
      />
      <SwitchRow
        label={keyStrings.publish}
        text={keyStrings.publishText}
        isOn={isPublic}
        onSwitch={setPublic}
      />
      {isPublic ? (
        <KeyLimitFields limits={limits} onLimits={setLimits} />
      ) : (
        <ScopeSwitches scopes={scopes} onScopes={setScopes} />
      )}
      {scopeErrors && <FieldError text={scopeErrors.join(' ')} />}
      <HourlyLimitField limit={limit} onLimit={setLimit} />
    </FormDialog>
  )
}

/** What was entered: '' is the limit of the workspace, null is no limit. */
type HourlyLimit = string | null
type HourlyLimitFieldProps = { limit: HourlyLimit; onLimit: (limit: HourlyLimit) => void }

function HourlyLimitField({ limit, onLimit }: HourlyLimitFieldProps) {
  const { role, requests_per_hour: allowed } = useSignedIn().user
  const isOperator = role === 'admin'
  const usual = allowed === null ? keyStrings.noLimit : fullNumber(allowed)
  return (
    <>
      {limit !== null && (
        <TextField
          label={keyStrings.limit}
          hint={isOperator ? keyStrings.limitHintOperator(usual) : keyStrings.limitHint(usual)}
          type="number"
          inputMode="numeric"
          min={1}
          placeholder={usual}
          value={limit}
          onText={onLimit}
          apiName="rate_limit"
        />
      )}
      {isOperator && (
        <SwitchRow
          label={keyStrings.noLimit}
          text={keyStrings.noLimitText}
          isOn={limit === null}
          onSwitch={(isOn) => onLimit(isOn ? null : '')}
        />
      )}
    </>
  )
}

type ScopeSwitchesProps = { scopes: ReadonlySet<string>; onScopes: (scopes: ReadonlySet<string>) => void }

const ScopeSwitches = ({ scopes, onScopes }: ScopeSwitchesProps) => (
  <fieldset className="stack">
    <legend className="legend">{keyStrings.scopes}</legend>
    {Object.entries(keyStrings.scope).map(([scope, [label, text]]) => (
      <SwitchRow
        key={scope}
        label={label}
        text={text}
        isOn={scopes.has(scope)}
        onSwitch={(isOn) =>
          onScopes(isOn ? scopes.union(new Set([scope])) : scopes.difference(new Set([scope])))
        }
      />
    ))}
  </fieldset>
)

function KeyOnce({ made: { text, scopes, isPublic }, onClose }: { made: MadeKey; onClose: () => void }) {
  const { base_url: baseUrl } = useSignedIn().instance
  const example = isPublic ? fetchExample(baseUrl, text) : curlCommand(baseUrl, text, scopes)
  return (
    <SecretDialog
      title={keyStrings.onceTitle}
      text={isPublic ? keyStrings.oncePublic : keyStrings.once}
      secret={text}
      copyLabel={keyStrings.copyKey}
      savedLabel={keyStrings.keySaved}
      below={
        <>
          <p>
            <strong>{keyStrings.try}</strong>
          </p>
          <CodeBlock text={example} label={keyStrings.try} />
        </>
      }
      onClose={onClose}
    />
  )
}

/** A request that the key's scopes allow. */
function curlCommand(baseUrl: string, key: string, scopes: ReadonlySet<string>): string {
  if (!scopes.has('links:write') && !scopes.has('links:create')) {
    const path = scopes.has('links:read') ? '/api/links' : '/api/analytics/overview'
    return `curl ${baseUrl}${path} \\\n  -H "X-API-Key: ${key}"`
  }
  return [
    `curl ${baseUrl}/api/links \\`,
    `  -H "X-API-Key: ${key}" \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d '{"original_url": "https://example.com/a/long/url"}'`,
  ].join('\n')
}

/** What a page does with a publishable key. */
const fetchExample = (baseUrl: string, key: string): string =>
  [
    `const response = await fetch('${baseUrl}/api/links', {`,
    "  method: 'POST',",
    `  headers: { 'X-API-Key': '${key}', 'Content-Type': 'application/json' },`,
    "  body: JSON.stringify({ original_url: 'https://example.com/a/long/url' }),",
    '})',
    'const { data } = await response.json()',
  ].join('\n')
