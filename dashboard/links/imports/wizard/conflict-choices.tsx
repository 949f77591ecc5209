import { useErrorToast } from '../../../components/dialogs/toasts.tsx'
import { Select } from '../../../components/fields/field.tsx'
import { useSignedIn } from '../../../use-session.ts'
import type { ImportJobItemView, ImportJobView } from '../../../../src/http/endpoints/browser-types.ts'
import { type Choices, chooseFor, useJobChange } from '../job-queries.ts'
import { wizardStrings } from './wizard-strings.ts'

const texts = wizardStrings.check

type Choice = NonNullable<ImportJobItemView['choice']>
/** As one value of a select: `move go.example`. */
const valueOf = (choice: Choice, host: string | null) => (choice === 'move' ? `${choice} ${host}` : choice)
const readValue = (value: string) => {
  const [choice, host] = value.split(' ')
  return { choice: choice as Choice, host }
}

const STAYING = (['skip', 'keep', 'replace'] as const).map((value) => ({
  value: value as string,
  label: texts.choices[value],
}))

const moves = (hosts: readonly string[]) =>
  hosts.map((host) => ({ value: valueOf('move', host), label: texts.move(host) }))

/** Saves choices; the select shows the one that is being saved. */
function useChoice(id: number, choicesOf: (value: string) => Choices) {
  return useJobChange((value: string) => chooseFor(id, choicesOf(value)), { onError: useErrorToast() })
}

/** What is done with each conflict that nothing else was chosen for. */
export function ForAll({ job: { id, choices } }: { job: ImportJobView }) {
  const { domains } = useSignedIn().user
  const change = useChoice(id, (value) => {
    const { choice, host } = readValue(value)
    return { on_conflict: choice as NonNullable<Choices['on_conflict']>, conflict_domain: host }
  })
  return (
    <label className="for-all">
      {texts.forAll}
      <Select
        size="small"
        value={change.isPending ? change.variables : valueOf(choices.on_conflict, choices.conflict_domain)}
        choices={[...STAYING, ...(domains.length > 1 ? moves(domains) : [])]}
        onChoice={(value) => change.mutate(value)}
      />
    </label>
  )
}

type ItemChoiceProps = { job: ImportJobView; item: ImportJobItemView }

const useItemChoice = (job: ImportJobView, { number }: ImportJobItemView) =>
  useChoice(job.id, (value) => {
    const { choice, host } = readValue(value)
    return { items: [{ number, choice: value === '' ? null : choice, new_domain: host }] }
  })

export function ItemChoice({ job, item }: ItemChoiceProps) {
  const { code, choice, suggested_code: suggested, new_code: chosen } = item
  const change = useItemChoice(job, item)
  const other = chosen ?? suggested
  const { on_conflict: forAll, conflict_domain: forAllHost } = job.choices
  const value = choice === null ? valueOf(forAll, forAllHost) : valueOf(choice, item.new_domain)
  return (
    <Select
      size="small"
      aria-label={texts.doWith(code)}
      value={change.isPending ? change.variables : value}
      choices={[
        ...STAYING,
        ...(other === null ? [] : [{ value: 'rename', label: texts.rename(other) }]),
        ...moves(useOtherDomains(item)),
      ]}
      onChoice={(next) => change.mutate(next)}
    />
  )
}

/** Of a link that is refused because of its code. */
export function OtherDomain({ job, item }: ItemChoiceProps) {
  const change = useItemChoice(job, item)
  const hosts = useOtherDomains(item)
  const isByCode = Object.keys(item.errors).join() === 'custom_code'
  if (!isByCode || hosts.length === 0) return null
  const value = item.choice === null ? '' : valueOf(item.choice, item.new_domain)
  return (
    <Select
      size="small"
      aria-label={texts.doWith(item.code)}
      value={change.isPending ? change.variables : value}
      choices={[{ value: '', label: texts.notImported }, ...moves(hosts)]}
      onChoice={(next) => change.mutate(next)}
    />
  )
}

/** A link without a domain would go to the first, the default one. */
function useOtherDomains({ short_url: shortUrl }: ImportJobItemView): string[] {
  const { domains } = useSignedIn().user
  const own = shortUrl === null ? domains[0] : new URL(shortUrl).host
  return domains.filter((host) => host !== own)
}
