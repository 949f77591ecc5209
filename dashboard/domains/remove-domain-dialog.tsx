import { strings } from '../strings.ts'
import { useState } from 'react'
import { ask } from '../api-client.ts'
import { TextField, VERBATIM } from '../components/fields/field.tsx'
import { FormDialog } from '../components/fields/form.tsx'
import { useToast } from '../components/dialogs/toasts.tsx'
import { domainStrings as texts } from './domain-strings.ts'
import { unicodeHost } from './unicode-host.ts'
import { type DomainRow, useDomainChange } from './domain-queries.ts'

type RemoveProps = { domain: DomainRow; onClose: () => void; onRemoved?: () => void }

export function RemoveDomainDialog({ domain, onClose, onRemoved }: RemoveProps) {
  const { host, link_count: links } = domain
  const name = unicodeHost(host)
  const [typed, setTyped] = useState('')
  const toast = useToast()
  const remove = useDomainChange(() => ask('DELETE /domains/{host}', { path: { host } }))
  const done = () => {
    toast({ text: texts.removed(name) })
    onClose()
    onRemoved?.()
  }
  return (
    <FormDialog
      title={texts.removeTitle(name)}
      action={texts.remove}
      variant="danger"
      mutation={remove}
      missing={[host, name].includes(typed.trim()) ? undefined : strings.missing.typedDomain}
      onSubmit={() => remove.mutate(undefined, { onSuccess: done })}
      onClose={onClose}
    >
      <p>{texts.removeText(links)}</p>
      <TextField label={texts.removeConfirm(name)} {...VERBATIM} value={typed} onText={setTyped} />
    </FormDialog>
  )
}
