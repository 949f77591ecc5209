import { useState } from 'react'
import type { ImportView } from '../../../src/http/endpoints/browser-types.ts'
import { SelectField } from '../../components/fields/field.tsx'
import { FormDialog } from '../../components/fields/form.tsx'
import { FormFailure } from '../../components/states.tsx'
import { fullNumber } from '../../format.ts'
import { type InUseChoice, useUndo, useUndoPlan } from './import-queries.ts'
import { importStrings as texts } from './import-strings.ts'

const CHOICES = (['keep', 'trash'] as const).map((value) => ({ value, label: texts.inUseChoices[value] }))

/** Says what an undo would do before it does it. */
export function UndoDialog({
  id,
  title,
  onClose,
}: Pick<ImportView, 'id' | 'title'> & { onClose: () => void }) {
  const [edited, setEdited] = useState<InUseChoice>('keep')
  const { data: plan, error } = useUndoPlan(id)
  const undo = useUndo(id, edited)
  const count = plan === undefined ? 0 : edited === 'trash' ? plan.links : plan.links - plan.edited
  return (
    <FormDialog
      title={texts.undoTitle(title)}
      action={texts.undoAction}
      variant="danger"
      change={undo}
      missing={plan === undefined ? texts.counting : undefined}
      onClose={onClose}
    >
      <FormFailure error={error} />
      {plan && (
        <>
          <p aria-live="polite">{texts.toTrash(count, fullNumber(count))}</p>
          {plan.edited > 0 && (
            <SelectField
              label={texts.inUseLabel}
              hint={texts.inUse(plan.edited, fullNumber(plan.edited))}
              value={edited}
              choices={CHOICES}
              onChoice={setEdited}
            />
          )}
          {plan.changed > 0 && (
            <p className="soft">{texts.changed(plan.changed, fullNumber(plan.changed))}</p>
          )}
          <p className="soft">{texts.again}</p>
        </>
      )}
    </FormDialog>
  )
}
