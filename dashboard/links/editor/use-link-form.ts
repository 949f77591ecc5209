import { type RefObject, useRef, useState } from 'react'
import { errorsOf, errorsOfEach } from '../../components/states.tsx'
import { RequestFailure } from '../../api/request.ts'
import { rulesErrors } from './rules/rule-form.ts'
import { changedFields, codesOf, type FieldName, type LinkForm } from './link-form.ts'

type TextName = { [Name in FieldName]: LinkForm[Name] extends string | null ? Name : never }[FieldName]

export type LinkFields = {
  before: LinkForm
  form: LinkForm
  changes: FieldName[]
  destination: RefObject<HTMLInputElement | null>
  set: (change: Partial<LinkForm>) => void
  /** What an input for the text of a field needs. */
  text: (name: TextName) => { value: string; onText: (text: string) => void; errors: string[] | undefined }
  /** Fills in what nobody typed: it is sent with a new link, and is no unsaved change. */
  preset: (change: Partial<LinkForm>) => void
  reset: (form: LinkForm) => void
  noteSent: () => void
  /** The server's errors, until the field is edited. */
  errorsFor: (name: FieldName) => string[] | undefined
  rulesErrors: ReturnType<typeof rulesErrors>
  errorCount: number
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
  const set = (change: Partial<LinkForm>) => setForm((now) => ({ ...now, ...change }))
  const errorsFor = (name: FieldName) => {
    if (name === 'rules' || sent?.[name] !== form[name]) return undefined
    // The end is refused because of the start.
    if (name === 'expires_at' && sent?.starts_at !== form.starts_at) return undefined
    if (name === 'aliases') return errorsOfEach(fields, name, codesOf(form.aliases))
    if (name === 'tags') return errorsOfEach(fields, name, form.tags)
    return name === 'original_url' ? errorsOf(error, name, 'url') : errorsOf(error, name)
  }
  const ofRules = rulesErrors(fields, sent?.rules, form.rules)
  const names = Object.keys(form) as FieldName[]
  return {
    before,
    form,
    changes: changedFields(before, form),
    destination,
    set,
    text: (name) => ({
      value: form[name] ?? '',
      onText: (text) => set({ [name]: text }),
      errors: errorsFor(name),
    }),
    preset: (change) => {
      setBefore((now) => ({ ...now, ...change }))
      setForm((now) => ({ ...now, ...change }))
    },
    reset: (next) => {
      setBefore(next)
      setForm(next)
      destination.current?.focus()
    },
    noteSent: () => setSent(form),
    errorsFor,
    rulesErrors: ofRules,
    errorCount: names.filter((name) => errorsFor(name) !== undefined).length + ofRules.count,
    otherErrors: others.flatMap((name) => fields[name]!),
  }
}
