import { strings } from '../../strings.ts'
import { TextField } from '../../components/fields/field.tsx'
import { FormDialog, useFields } from '../../components/fields/form.tsx'
import { labelStrings } from './label-strings.ts'
import { ask } from '../../api-client.ts'
import { useChange } from '../../use-change.ts'
import { type LabelKind, LABELS } from './label-queries.ts'

export function NewLabelDialog({ kind, onClose }: { kind: LabelKind; onClose: () => void }) {
  const { values, field } = useFields({ name: '' })
  const creation = useChange(() => ask(`POST /${kind}`, { input: values }), {
    said: ({ data }) => labelStrings.created(data.name),
    rereads: [LABELS],
  })
  return (
    <FormDialog
      title={labelStrings.kinds[kind].new}
      action={labelStrings.kinds[kind].create}
      change={creation}
      missing={values.name.trim() === '' ? strings.missing.name : undefined}
      onClose={onClose}
    >
      <TextField
        label={labelStrings.name}
        autoComplete="off"
        {...field('name')}
        // Too many of them is said of the field of links.
        apiName={['name', 'tags', 'folder']}
      />
    </FormDialog>
  )
}
