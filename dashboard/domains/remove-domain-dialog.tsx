import { strings } from '../strings.ts'
import { ask } from '../api-client.ts'
import { TextField, VERBATIM } from '../components/fields/field.tsx'
import { FormDialog, useFields } from '../components/fields/form.tsx'
import { domainStrings as texts } from './domain-strings.ts'
import { unicodeHost } from './unicode-host.ts'
import { type DomainRow, useDomainChange } from './domain-queries.ts'

type RemoveProps = { domain: DomainRow; onClose: () => void; onRemoved?: () => void }

export function RemoveDomainDialog({ domain, onClose, onRemoved }: RemoveProps) {
  const { host, link_count: links } = domain
  const name = unicodeHost(host)
  const { values, field } = useFields({ name: '' })
  const remove = useDomainChange(() => ask('DELETE /domains/{host}', { path: { host } }), {
    said: texts.removed(name),
  })
  return (
    <FormDialog
      title={texts.removeTitle(name)}
      action={texts.remove}
      variant="danger"
      change={remove}
      missing={[host, name].includes(values.name.trim()) ? undefined : strings.missing.typedDomain}
      onDone={() => {
        onClose()
        onRemoved?.()
      }}
      onClose={onClose}
    >
      <p>{texts.removeText(links)}</p>
      <TextField label={texts.removeConfirm(name)} {...VERBATIM} {...field('name')} />
    </FormDialog>
  )
}
