import { TextField } from '../../../components/fields/field.tsx'
import type { ConnectForm } from './use-connection.ts'
import { wizardStrings } from './wizard-strings.ts'

const texts = wizardStrings.connect

/** Between which days the links were created that come along. */
export const DayFields = ({ fields: { values, field } }: { fields: ConnectForm }) => (
  <div className="field-pair">
    <TextField
      label={texts.createdFrom}
      type="date"
      max={values.createdTo}
      {...field('createdFrom')}
      apiName={['created_from', 'options.created_from']}
    />
    <TextField
      label={texts.createdTo}
      type="date"
      min={values.createdFrom}
      {...field('createdTo')}
      apiName={['created_to', 'options.created_to']}
    />
  </div>
)
