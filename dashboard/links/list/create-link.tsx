import { Link2, SlidersHorizontal } from 'lucide-react'
import { type ClipboardEvent, type FormEvent, type RefObject, Suspense, useEffect, useId } from 'react'
import { Button } from '../../components/button.tsx'
import { FieldError } from '../../components/fields/field.tsx'
import { sentenceOf } from '../../components/states.tsx'
import { useLinkCreation } from '../link-queries.ts'
import { isTyping } from '../../shell/shortcuts.ts'
import { strings } from '../../strings.ts'
import { AddedScheme, isMultiline, looksLikeUrl, withScheme } from '../added-scheme.tsx'
import { createAndCopy, type Created, useNewLinkDomain } from '../new-link.ts'
import { afterPaint } from '../../chunks/chunks.ts'
import { useOnce } from '../../components/fields/use-once.ts'

type CreateLinkProps = {
  field: RefObject<HTMLInputElement | null>
  url: string
  onUrl: (url: string) => void
  onCreated: Created
  /** The user pasted several lines. */
  onManyPasted: (text: string) => void
  /** The user wants to set more than the URL. */
  onMore: () => void
}

/** One field and Enter. The editor has everything else. */
export function CreateLink({ field, url, onUrl, onCreated, onManyPasted, onMore }: CreateLinkProps) {
  const place = useNewLinkDomain()
  const { creation, submit, setUrl } = useNewLink({ field, url, onUrl, onCreated, place })
  usePasted((text) => {
    if (isMultiline(text)) return onManyPasted(text)
    setUrl(text)
    field.current?.focus()
  })
  const error = creation.error === null ? undefined : sentenceOf(creation.error)
  const errorId = useId()
  return (
    <form className="card create" onSubmit={submit} aria-label={strings.links.create} noValidate>
      <div className="create-line">
        <span className="input-with">
          <Link2 size={18} aria-hidden />
          <UrlInput
            field={field}
            errorId={error === undefined ? undefined : errorId}
            url={url}
            onUrl={setUrl}
            onManyPasted={onManyPasted}
          />
        </span>
        {place.domains.length > 1 && (
          <Suspense>
            <afterPaint.DomainSelect domains={place.domains} domain={place.domain} onDomain={place.choose} />
          </Suspense>
        )}
        <Button variant="quiet" icon={SlidersHorizontal} onClick={onMore}>
          {strings.links.more}
        </Button>
        <Button type="submit" variant="primary" isBusy={creation.isPending}>
          {strings.links.create}
        </Button>
      </div>
      {error === undefined ? <AddedScheme text={url} /> : <FieldError id={errorId} text={error} />}
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

type NewLinkOptions = Pick<CreateLinkProps, 'field' | 'url' | 'onUrl' | 'onCreated'> & {
  place: ReturnType<typeof useNewLinkDomain>
}

/** An error stays below the field until the field is edited. */
function useNewLink({ field, url, onUrl, onCreated, place }: NewLinkOptions) {
  const creation = useLinkCreation()
  const setUrl = (text: string) => {
    onUrl(text)
    creation.reset()
  }
  const create = useOnce(async () => {
    try {
      const link = await createAndCopy(creation, {
        original_url: withScheme(url),
        fetch_title: true,
        ...(place.domains.length > 1 && { domain: place.domain }),
      })
      onUrl('')
      onCreated(...link)
    } catch {
      field.current?.focus()
    }
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (url.trim() === '' || creation.isPending) field.current?.focus()
    else create()
  }
  return { setUrl, creation, submit }
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
