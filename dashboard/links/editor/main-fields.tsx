import type { LinkView } from '../../../src/http/dashboard-api/dashboard-types.ts'
import { TextArea, TextField } from '../../components/field.tsx'
import { lazyStrings } from '../../strings/lazy-strings.ts'
import { CodeField } from './code-field.tsx'
import type { LinkFields } from './use-link-form.ts'

const { editor } = lazyStrings

type MainFieldsProps = { fields: LinkFields; link: LinkView | undefined }

export const MainFields = ({ fields: { form, set, errorsFor, destination }, link }: MainFieldsProps) => (
  <>
    <TextField
      ref={destination}
      label={editor.destination}
      type="url"
      inputMode="url"
      autoComplete="off"
      value={form.original_url}
      onText={(text) => set({ original_url: text })}
      errors={errorsFor('original_url')}
    />
    {link === undefined ? (
      <CodeField
        value={form.custom_code}
        onCode={(code) => set({ custom_code: code })}
        errors={errorsFor('custom_code')}
      />
    ) : (
      <TextField label={editor.code} hint={editor.codeFixed} value={form.custom_code} readOnly />
    )}
    <TextField
      label={editor.title}
      hint={editor.titleHint}
      maxLength={255}
      value={form.title}
      onText={(title) => set({ title })}
      errors={errorsFor('title')}
    />
    <TextArea
      label={editor.notes}
      hint={editor.notesHint}
      rows={2}
      spellCheck
      value={form.notes}
      onText={(notes) => set({ notes })}
      errors={errorsFor('notes')}
    />
  </>
)
