import { ChevronDown, ChevronUp, Link2 } from 'lucide-react'
import { type ClipboardEvent, type FormEvent, type RefObject, useEffect, useId, useState } from 'react'
import type { CreatedLinkView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { writeWhenKnown } from '../clipboard.ts'
import { Button } from '../components/button.tsx'
import { FieldError, TextField } from '../components/field.tsx'
import { errorsOf, sentenceOf } from '../components/states.tsx'
import { useLinkCreation } from '../queries.ts'
import { isTyping } from '../shortcuts.ts'
import { strings } from '../strings/strings.ts'
import { CodeField } from './code-field.tsx'
import { isMultiline, looksLikeUrl, withScheme } from './pasted-url.ts'

type CreateLinkProps = {
  field: RefObject<HTMLInputElement | null>
  /** `isCopied`: the short URL is on the clipboard. */
  onCreated: (link: CreatedLinkView, isCopied: boolean) => void
  /** The user pasted several lines. */
  onManyPasted: (text: string) => void
}

const EMPTY = { url: '', title: '', code: '' }

/** One field and Enter. Title and code are collapsed. */
export function CreateLink({ field, onCreated, onManyPasted }: CreateLinkProps) {
  const [isOpen, setOpen] = useState(false)
  const { values, set, creation, submit } = useNewLink(field, (link, isCopied) => {
    setOpen(false)
    onCreated(link, isCopied)
  })
  usePasted((text) => {
    if (isMultiline(text)) return onManyPasted(text)
    set({ url: text })
    field.current?.focus()
  })
  const urlError =
    errorsOf(creation.error, 'original_url', 'url')?.join(' ') ?? generalError(creation.error, isOpen)
  const errorId = useId()
  return (
    <form className="card create" onSubmit={submit} aria-label={strings.links.create} noValidate>
      <div className="create-line">
        <span className="input-with">
          <Link2 size={18} aria-hidden />
          <UrlInput
            field={field}
            errorId={urlError === undefined ? undefined : errorId}
            url={values.url}
            onUrl={(url) => set({ url })}
            onManyPasted={onManyPasted}
          />
        </span>
        <Button
          variant="quiet"
          icon={isOpen ? ChevronUp : ChevronDown}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? strings.links.less : strings.links.more}
        </Button>
        <Button type="submit" variant="primary" isBusy={creation.isPending}>
          {strings.links.create}
        </Button>
      </div>
      {urlError !== undefined && <FieldError id={errorId} text={urlError} />}
      {isOpen && (
        <div className="create-more">
          <TextField
            label={strings.links.label}
            hint={strings.links.labelHint}
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

type UrlInputProps = {
  field: Field
  /** The ID of the error. Undefined without one. */
  errorId: string | undefined
  url: string
  onUrl: (url: string) => void
  onManyPasted: (text: string) => void
}

function UrlInput({ field, errorId, url, onUrl, onManyPasted }: UrlInputProps) {
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text').trim()
    // The input would join the lines into one invalid URL.
    if (!isMultiline(text)) return
    event.preventDefault()
    onManyPasted(text)
  }
  return (
    <input
      ref={field}
      className="input"
      type="url"
      inputMode="url"
      autoComplete="off"
      placeholder={strings.links.paste}
      aria-label={strings.links.paste}
      aria-invalid={errorId !== undefined}
      aria-describedby={errorId}
      value={url}
      onPaste={paste}
      onChange={(event) => onUrl(event.target.value)}
    />
  )
}

/** The state of the form. An error stays below its field until the field is edited. */
function useNewLink(field: Field, onCreated: CreateLinkProps['onCreated']) {
  const [values, setValues] = useState(EMPTY)
  const creation = useLinkCreation()
  const set = (change: Partial<typeof EMPTY>) => {
    setValues((before) => ({ ...before, ...change }))
    if (change.url !== undefined) creation.reset()
  }
  const create = async () => {
    const made = creation.mutateAsync({
      original_url: withScheme(values.url.trim()),
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
    if (values.url.trim() === '' || creation.isPending) field.current?.focus()
    else void create()
  }
  return { values, set, creation, submit }
}

/** Errors of fields that are not visible. */
function generalError(error: unknown, isOpen: boolean): string | undefined {
  if (error === null) return undefined
  return isOpen && errorsOf(error, 'title', 'custom_code') ? undefined : sentenceOf(error)
}

/** URLs that are pasted outside of any field or dialog. */
function usePasted(onUrl: (text: string) => void): void {
  useEffect(() => {
    const onPaste = (event: globalThis.ClipboardEvent) => {
      if (event.defaultPrevented || isTyping(event.target)) return
      const text = event.clipboardData?.getData('text').trim() ?? ''
      const [first = ''] = text.split(/[\s,;]/, 1)
      if (!looksLikeUrl(isMultiline(text) ? first : text)) return
      event.preventDefault()
      onUrl(text)
    }
    document.addEventListener('paste', onPaste)
    return () => document.removeEventListener('paste', onPaste)
  })
}
