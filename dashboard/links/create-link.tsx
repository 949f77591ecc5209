import { ChevronDown, ChevronUp, Link2 } from 'lucide-react'
import { type ClipboardEvent, type FormEvent, type RefObject, useId, useState } from 'react'
import type { CreatedLinkView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { Button } from '../parts/button.tsx'
import { FieldError, TextField } from '../parts/field.tsx'
import { errorsOf, sentenceOf } from '../parts/states.tsx'
import { useLinkCreation } from '../queries.ts'
import { words } from '../words.ts'
import { CodeField } from './code-field.tsx'

type CreateLinkProps = {
  field: RefObject<HTMLInputElement | null>
  onCreated: (link: CreatedLinkView) => void
  /** Several lines: more than one link is meant. */
  onManyPasted: (text: string) => void
}

const EMPTY = { address: '', title: '', code: '' }

/** One field and Enter; title and code are folded away. */
export function CreateLink({ field, onCreated, onManyPasted }: CreateLinkProps) {
  const [values, setValues] = useState(EMPTY)
  const [isOpen, setOpen] = useState(false)
  const creation = useLinkCreation()
  const errorId = useId()
  const set = (change: Partial<typeof EMPTY>) => setValues((before) => ({ ...before, ...change }))
  const addressError =
    errorsOf(creation.error, 'original_url', 'url')?.join(' ') ?? generalError(creation.error, isOpen)
  const create = (event: FormEvent) => {
    event.preventDefault()
    if (values.address.trim() === '' || creation.isPending) return field.current?.focus()
    creation.mutate(
      {
        original_url: withScheme(values.address.trim()),
        ...(values.title.trim() === '' ? {} : { title: values.title.trim() }),
        ...(values.code === '' ? {} : { custom_code: values.code }),
      },
      {
        onSuccess: ({ data }) => {
          setValues(EMPTY)
          setOpen(false)
          onCreated(data)
        },
        onError: () => field.current?.focus(),
      },
    )
  }
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text').trim()
    // The field itself would put the lines together to one address that leads nowhere.
    if (!/\S\s*[\r\n]/.test(text)) return
    event.preventDefault()
    onManyPasted(text)
  }
  return (
    <form className="card create" onSubmit={create} aria-label={words.links.create} noValidate>
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
            onChange={(event) => {
              set({ address: event.target.value })
              creation.reset()
            }}
          />
        </span>
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
      <div className="create-foot">
        <Button
          look="quiet"
          size="small"
          icon={isOpen ? ChevronUp : ChevronDown}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? words.links.less : words.links.more}
        </Button>
      </div>
    </form>
  )
}

/** What belongs to no field that is in sight. */
function generalError(error: unknown, isOpen: boolean): string | undefined {
  if (error === null) return undefined
  return isOpen && errorsOf(error, 'title', 'custom_code') ? undefined : sentenceOf(error)
}

/** People paste `example.com/a`: what has no scheme but looks like a host gets the one that nearly all have. */
export const withScheme = (address: string): string =>
  /^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?([/?#]|$)/i.test(address) ? `https://${address}` : address
