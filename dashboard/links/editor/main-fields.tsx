import type { LinkView } from '../../../src/http/endpoints/browser-types.ts'
import { TextArea, TextField } from '../../components/field.tsx'
import { editorStrings as texts } from '../../strings/editor-strings.ts'
import { LabelFields } from '../labels/label-fields.tsx'
import { DestinationInput } from './destination-input.tsx'
import { FixedShortUrl, ShortUrlField } from './short-url-field.tsx'
import { useDestination } from './use-destination.ts'
import { usePageTitle } from './use-page-title.ts'
import type { LinkFields } from './use-link-form.ts'

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
      <TextArea
        label={texts.notes}
        hint={texts.notesHint}
        rows={2}
        spellCheck
        value={form.notes}
        onText={(notes) => set({ notes })}
        errors={errorsFor('notes')}
      />
    </>
  )
}
