import { type RefObject, useRef, useState } from 'react'
import { errorsOf } from '../../components/states.tsx'
import { type FieldErrors, RequestFailure } from '../../request.ts'
import { changedFields, codesOf, type FieldName, type LinkForm } from './link-form.ts'

export type LinkFields = {
  before: LinkForm
  form: LinkForm
  changes: FieldName[]
  destination: RefObject<HTMLInputElement | null>
  set: (change: Partial<LinkForm>) => void
  reset: (form: LinkForm) => void
  noteSent: () => void
  /** The server's errors, until the field is edited. */
  errorsFor: (name: FieldName) => string[] | undefined
  /** Errors of fields that the editor does not have. */
  otherErrors: string[]
}

/** `error`: of the last attempt to save. */
export function useLinkForm(first: () => LinkForm, error: unknown): LinkFields {
  const [before, setBefore] = useState(first)
  const [form, setForm] = useState(before)
  const [sent, setSent] = useState<LinkForm>()
  const destination = useRef<HTMLInputElement>(null)
  const fields = error instanceof RequestFailure ? error.fields : {}
  const others = Object.keys(fields).filter(
    (key) => key !== 'url' && !Object.hasOwn(form, key.split('.')[0]!),
  )
  return {
    before,
    form,
    changes: changedFields(before, form),
    destination,
    set: (change) => setForm((now) => ({ ...now, ...change })),
    reset: (next) => {
      setBefore(next)
      setForm(next)
      destination.current?.focus()
    },
    noteSent: () => setSent(form),
    errorsFor: (name) => {
      if (sent?.[name] !== form[name]) return undefined
      if (name === 'aliases') return aliasErrors(fields, form.aliases)
      return name === 'original_url' ? errorsOf(error, name, 'url') : errorsOf(error, name)
    },
    otherErrors: others.flatMap((name) => fields[name]!),
  }
}

/** `aliases.2` is about the third code. */
function aliasErrors(fields: FieldErrors, text: string): string[] | undefined {
  const codes = codesOf(text)
  const found = Object.entries(fields).flatMap(([key, messages]) => {
    const [name, index] = key.split('.')
    if (name !== 'aliases') return []
    return index === undefined ? messages : `${codes[Number(index)]}: ${messages.join(' ')}`
  })
  return found.length === 0 ? undefined : found
}
