import { PasswordField, SelectField, TextField, VERBATIM } from '../../../components/fields/field.tsx'
import { errorsOf } from '../../../components/states.tsx'
import { useSettled } from '../../../use-settled.ts'
import { useSourceLists } from '../job-queries.ts'
import { DayFields } from './day-fields.tsx'
import type { ImportSource } from './import-sources.ts'
import type { ConnectForm } from './use-connection.ts'
import { wizardStrings } from './wizard-strings.ts'

const texts = wizardStrings.connect
/** Shorter texts are no keys. */
const KEY_LENGTH_MIN = 8
const SETTLED_MS = 500

/** Where the API is, its key, and which links are read. */
export function KeyFields({ source, fields }: { source: ImportSource; fields: ConnectForm }) {
  const { key: keyTexts, url, title, list } = source
  const { values, set, field } = fields
  const key = useSettled(values.key.trim(), SETTLED_MS)
  const lists = useSourceLists(source.name, key, list !== undefined && key.length >= KEY_LENGTH_MIN)
  return (
    <section className="card">
      {url && (
        <TextField
          label={texts.url}
          hint={texts.urlHint(title)}
          placeholder={url}
          inputMode="url"
          {...field('url')}
          {...VERBATIM}
        />
      )}
      <PasswordField
        label={keyTexts!.label}
        hint={keyTexts!.hint}
        errors={errorsOf(lists.error, 'key')}
        {...field('key')}
        autoComplete="new-password"
      />
      {list && (
        <SelectField
          label={list.label}
          apiName="list"
          value={values.list}
          choices={[
            { value: '', label: list.all },
            ...(lists.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChoice={(id) => set({ list: id })}
        />
      )}
      <DayFields fields={fields} />
    </section>
  )
}
