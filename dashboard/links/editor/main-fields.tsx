import type { LinkView } from '../../../src/http/dashboard-api/types/link-types.ts'
import { SelectField, TextArea, TextField } from '../../components/field.tsx'
import { editorStrings as texts } from '../../strings/editor-strings.ts'
import { useSignedIn } from '../../use-session.ts'
import { LabelFields } from '../labels/label-fields.tsx'
import { CodeField } from './code-field.tsx'
import { DestinationInput } from './destination-input.tsx'
import { useDestination } from './use-destination.ts'
import { usePageTitle } from './use-page-title.ts'
import type { LinkFields } from './use-link-form.ts'

type MainFieldsProps = { fields: LinkFields; link: LinkView | undefined }

export function MainFields({ fields, link }: MainFieldsProps) {
  const { form, set, errorsFor } = fields
  const { user } = useSignedIn()
  const looked = useDestination(form.original_url)
  const noteTyped = usePageTitle(fields, { isNew: link === undefined, looked })
  return (
    <>
      <DestinationInput fields={fields} looked={looked} />
      {link === undefined ? (
        <>
          {user.domains.length > 1 && (
            <SelectField
              label={texts.domain}
              value={form.domain}
              choices={user.domains.map((host) => ({ value: host, label: host }))}
              onChoice={(domain) => set({ domain })}
              errors={errorsFor('domain')}
            />
          )}
          <CodeField
            value={form.custom_code}
            domain={form.domain}
            onCode={(code) => set({ custom_code: code })}
            errors={errorsFor('custom_code')}
          />
        </>
      ) : (
        <TextField label={texts.code} hint={texts.codeFixed} value={form.custom_code} readOnly />
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
