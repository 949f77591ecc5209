import type { LinkView } from '../../../src/http/endpoints/browser-types.ts'
import { TextArea, TextField } from '../../components/fields/field.tsx'
import { destinationStrings, editorStrings as texts } from './editor-strings.ts'
import { LabelFields } from '../labels/label-fields.tsx'
import { FixedShortUrl, ShortUrlField } from './short-url-field.tsx'
import { isReachable, LinkPreview, type LookedAt, useDestination } from './preview/link-preview.tsx'
import type { LinkFields } from './use-link-form.ts'
import { useEffect, useEffectEvent, useRef } from 'react'
import { Check } from 'lucide-react'
import { Badge } from '../../components/badge.tsx'
import { AddedScheme } from '../added-scheme.tsx'

type DestinationInputProps = { fields: LinkFields; looked: LookedAt | undefined }

/** Says whether the destination can be reached, and never stands in the way of saving. */
function DestinationInput({ fields, looked }: DestinationInputProps) {
  const { form, destination } = fields
  return (
    <div className="field destination">
      <TextField
        ref={destination}
        label={texts.destination}
        type="url"
        inputMode="url"
        autoComplete="off"
        {...fields.text('original_url')}
        suffix={<span role="status">{looked && isReachable(looked) && <Reachable />}</span>}
      />
      <AddedScheme text={form.original_url} />
      {looked && <LinkPreview looked={looked} />}
    </div>
  )
}

const Reachable = () => (
  <Badge tone="ok" icon={Check}>
    {destinationStrings.reachable}
  </Badge>
)

type MainFieldsProps = { fields: LinkFields; link: LinkView | undefined; onAnotherCode: () => void }

export function MainFields({ fields, link, onAnotherCode }: MainFieldsProps) {
  const { form, set, errorsFor } = fields
  const looked = useDestination(form.original_url)
  const noteTyped = usePageTitle(fields, { isNew: link === undefined, looked })
  return (
    <>
      <DestinationInput fields={fields} looked={looked} />
      {link === undefined ? (
        <ShortUrlField fields={fields} onAnotherCode={onAnotherCode} />
      ) : (
        <FixedShortUrl fields={fields} onAnotherCode={onAnotherCode} />
      )}
      <TextField
        label={texts.title}
        hint={texts.titleHint}
        maxLength={255}
        value={form.title}
        onText={(title) => {
          noteTyped()
          set({ title })
        }}
        errors={errorsFor('title')}
      />
      <LabelFields
        tags={form.tags}
        onTags={(tags) => set({ tags })}
        tagErrors={errorsFor('tags')}
        folder={form.folder}
        onFolder={(folder) => set({ folder })}
        folderErrors={errorsFor('folder')}
      />
      <TextArea label={texts.notes} hint={texts.notesHint} rows={2} spellCheck {...fields.text('notes')} />
    </>
  )
}

type PageTitle = { isNew: boolean; looked: LookedAt | undefined }

/**
 * An empty title becomes that of the page, until somebody types one. In a stored link only when its destination is edited.
 * Returns what is to be called when somebody types.
 */
function usePageTitle(fields: LinkFields, { isNew, looked }: PageTitle): () => void {
  const { form, before, set, preset } = fields
  const isTyped = useRef(false)
  const filled = useRef('')
  const pageTitle = looked?.isLooking === false ? (looked.look?.title ?? '') : undefined
  const isWanted = isNew || form.original_url !== before.original_url
  const fillIn = useEffectEvent(() => {
    // The form is empty again, for another link.
    if (form.original_url === '') {
      isTyped.current = false
      filled.current = ''
    }
    if (pageTitle === undefined || !isWanted || isTyped.current) return
    if (form.title !== filled.current || form.title === pageTitle) return
    filled.current = pageTitle
    if (isNew) preset({ title: pageTitle })
    else set({ title: pageTitle })
  })
  useEffect(() => fillIn(), [pageTitle, isWanted, form.original_url])
  return () => {
    isTyped.current = true
  }
}
