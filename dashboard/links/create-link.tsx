import { ChevronDown, ChevronUp, Link2 } from 'lucide-react'
import { type ClipboardEvent, type FormEvent, type RefObject, useEffect, useId, useState } from 'react'
import type { CreatedLinkView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { writeWhenKnown } from '../clipboard.ts'
import { Button } from '../parts/button.tsx'
import { FieldError, TextField } from '../parts/field.tsx'
import { errorsOf, sentenceOf } from '../parts/states.tsx'
import { useLinkCreation } from '../queries.ts'
import { isWritten } from '../shortcuts.ts'
import { words } from '../words.ts'
import { CodeField } from './code-field.tsx'
import { isSeveralLines, looksLikeUrl, withScheme } from './pasted-url.ts'

type CreateLinkProps = {
  field: RefObject<HTMLInputElement | null>
  /** `isCopied`: whether the browser has put its short URL on the clipboard. */
  onCreated: (link: CreatedLinkView, isCopied: boolean) => void
  /** Several lines: more than one link is meant. */
  onManyPasted: (text: string) => void
}

const EMPTY = { address: '', title: '', code: '' }

/** One field and Enter; title and code are folded away. */
export function CreateLink({ field, onCreated, onManyPasted }: CreateLinkProps) {
  const [isOpen, setOpen] = useState(false)
  const { values, set, creation, submit } = useNewLink(field, (link, isCopied) => {
    setOpen(false)
    onCreated(link, isCopied)
  })
  const errorId = useId()
  usePasted((text) => {
    if (isSeveralLines(text)) return onManyPasted(text)
    set({ address: text })
    field.current?.focus()
  })
  const addressError =
    errorsOf(creation.error, 'original_url', 'url')?.join(' ') ?? generalError(creation.error, isOpen)
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text').trim()
    // The field itself would put the lines together to one address that leads nowhere.
    if (!isSeveralLines(text)) return
    event.preventDefault()
    onManyPasted(text)
  }
  return (
    <form className="card create" onSubmit={submit} aria-label={words.links.create} noValidate>
      <div className="create-line">
        <span className="input-with">
          <Link2 size={18} aria-hidden />
          <input
            ref={field}
            className="input"
            type="url"
            inputMode="url"
            autoComplete="off"
            placeholder={words.links.paste}
            aria-label={words.links.paste}
            aria-invalid={addressError !== undefined}
            aria-describedby={addressError === undefined ? undefined : errorId}
            value={values.address}
            onPaste={paste}
            onChange={(event) => set({ address: event.target.value })}
          />
        </span>
        <Button
          look="quiet"
          icon={isOpen ? ChevronUp : ChevronDown}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? words.links.less : words.links.more}
        </Button>
        <Button type="submit" look="primary" isBusy={creation.isPending}>
          {words.links.create}
        </Button>
      </div>
      {addressError !== undefined && <FieldError id={errorId} text={addressError} />}
      {isOpen && (
        <div className="create-more">
          <TextField
            label={words.links.label}
            hint={words.links.labelHint}
            maxLength={255}
            value={values.title}
            onText={(title) => set({ title })}
            errors={errorsOf(creation.error, 'title')}
          />
          <CodeField
            value={values.code}
            onCode={(code) => set({ code })}
            errors={errorsOf(creation.error, 'custom_code')}
          />
        </div>
      )}
    </form>
  )
}

type Field = CreateLinkProps['field']

/** What is typed, and its way to the server. A refusal stands beneath its field until that is changed. */
function useNewLink(field: Field, onCreated: CreateLinkProps['onCreated']) {
  const [values, setValues] = useState(EMPTY)
  const creation = useLinkCreation()
  const set = (change: Partial<typeof EMPTY>) => {
    setValues((before) => ({ ...before, ...change }))
    if (change.address !== undefined) creation.reset()
  }
  const create = async () => {
    const made = creation.mutateAsync({
      original_url: withScheme(values.address.trim()),
      ...(values.title.trim() === '' ? {} : { title: values.title.trim() }),
      ...(values.code === '' ? {} : { custom_code: values.code }),
    })
    const copying = writeWhenKnown(made.then(({ data }) => data.short_url)).then(
      () => true,
      () => false,
    )
    try {
      const { data } = await made
      setValues(EMPTY)
      onCreated(data, await copying)
    } catch {
      field.current?.focus()
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (values.address.trim() === '' || creation.isPending) field.current?.focus()
    else void create()
  }
  return { values, set, creation, submit }
}

/** What belongs to no field that is in sight. */
function generalError(error: unknown, isOpen: boolean): string | undefined {
  if (error === null) return undefined
  return isOpen && errorsOf(error, 'title', 'custom_code') ? undefined : sentenceOf(error)
}

/** A URL, or lines of them, that is pasted while nobody types and nothing is open. */
function usePasted(onUrl: (text: string) => void): void {
  useEffect(() => {
    const hear = (event: globalThis.ClipboardEvent) => {
      if (event.defaultPrevented || isWritten(event.target)) return
      const text = event.clipboardData?.getData('text').trim() ?? ''
      const [first = ''] = text.split(/[\s,;]/, 1)
      if (!looksLikeUrl(isSeveralLines(text) ? first : text)) return
      event.preventDefault()
      onUrl(text)
    }
    document.addEventListener('paste', hear)
    return () => document.removeEventListener('paste', hear)
  })
}
