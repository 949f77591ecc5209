import { Fragment } from 'react'
import { useSignedIn } from '../../../use-session.ts'
import { SelectField, TextField, VERBATIM } from '../../../components/fields/field.tsx'
import { SwitchRow } from '../../../components/fields/switch.tsx'
import { useLabels } from '../../labels/label-queries.ts'
import type { ImportSource, Leavable } from './import-sources.ts'
import { DayFields } from './day-fields.tsx'
import type { ConnectForm } from './use-connection.ts'
import { wizardStrings } from './wizard-strings.ts'

const texts = wizardStrings.connect

type PlaceFieldsProps = {
  source: ImportSource
  fields: ConnectForm
  without: Leavable[]
  onWithout: (without: Leavable[]) => void
  hasFiles: boolean
}

/** What comes along, where the links go, and what a file does not say. */
export function PlaceFields({ source, fields, without, onWithout, hasFiles }: PlaceFieldsProps) {
  const { field } = fields
  return (
    <section className="card" aria-label={texts.along}>
      {source.has.map((part) => (
        <Fragment key={part}>
          <SwitchRow
            {...texts.parts[part]}
            isOn={!without.includes(part)}
            onSwitch={(isOn) =>
              onWithout(isOn ? without.filter((each) => each !== part) : [...without, part])
            }
          />
          {part === 'clicks' && source.clicks && !hasFiles && !without.includes(part) && (
            <SwitchRow
              {...texts.history}
              isOn={fields.values.clicks === 'history'}
              onSwitch={(isOn) => fields.set({ clicks: isOn ? 'history' : 'totals' })}
            />
          )}
        </Fragment>
      ))}
      <div className="field-pair">
        <DomainField {...{ source, fields }} />
        <FolderField {...{ source, fields }} />
      </div>
      {(hasFiles || source.key === undefined) && <DayFields fields={fields} />}
      {source.hasTimeZone && hasFiles && (
        <TextField
          label={texts.timeZone}
          hint={texts.timeZoneHint}
          {...field('timeZone')}
          apiName={['options.time_zone', 'time_zone']}
          {...VERBATIM}
        />
      )}
    </section>
  )
}

type PlaceProps = Pick<PlaceFieldsProps, 'source' | 'fields'>

const asThere = ({ isTable, title }: ImportSource) => (isTable ? texts.asInFile : texts.asThere(title))

function DomainField({ source, fields: { values, set } }: PlaceProps) {
  const { domains } = useSignedIn().user
  return (
    <SelectField
      label={texts.domain}
      hint={texts.domainHint}
      apiName="domain"
      value={values.domain}
      choices={[
        { value: '', label: asThere(source) },
        ...domains.map((host) => ({ value: host, label: host })),
      ]}
      onChoice={(domain) => set({ domain })}
    />
  )
}

/** The folders of the workspace, and a new one. */
function FolderField({ source, fields: { values, set } }: PlaceProps) {
  const { data = [] } = useLabels('folders')
  const names = new Set([values.folder, texts.newFolder(source.title), ...data.map(({ name }) => name)])
  names.delete('')
  const none = source.isTable || source.has.includes('folders') ? asThere(source) : texts.noFolder
  return (
    <SelectField
      label={texts.folder}
      hint={texts.folderHint}
      apiName={['folder', 'options.folder']}
      value={values.folder}
      choices={[{ value: '', label: none }, ...[...names].map((name) => ({ value: name, label: name }))]}
      onChoice={(folder) => set({ folder })}
    />
  )
}
