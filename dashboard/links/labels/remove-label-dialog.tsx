import { useOnce } from '../../components/fields/use-once.ts'
import { useState } from 'react'
import type { LabelView } from '../../../src/http/endpoints/browser-types.ts'
import { Button } from '../../components/button.tsx'
import { Combobox } from '../../components/pickers/combobox.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { Notice, sentenceOf } from '../../components/states.tsx'
import { fullNumber } from '../../format.ts'
import { RequestFailure } from '../../api/request.ts'
import { labelStrings } from './label-strings.ts'
import { strings } from '../../strings.ts'
import { type LabelKind, labelOptions, useLabelRemoval } from './label-queries.ts'

/** More take long enough to say so. */
const QUICK_LINKS = 1_000

export type LabelToRemove = { label: LabelView; how: 'merge' | 'delete' }

type RemoveLabelDialogProps = LabelToRemove & {
  kind: LabelKind
  all: readonly LabelView[]
  onClose: () => void
  onRemoved: () => void
}

/** Says how many links change before anything does. It cannot be closed while they do. */
export function RemoveLabelDialog({ label, how, kind, all, onClose, onRemoved }: RemoveLabelDialogProps) {
  const texts = labelStrings.kinds[kind]
  const [name, setName] = useState('')
  const others = all.filter(({ id }) => id !== label.id)
  const into = others.find((other) => other.name === name)
  const isMerge = how === 'merge'
  const removal = useLabelRemoval(kind)
  const submit = useOnce(() => removal.mutateAsync({ label, into }, { onSuccess: onRemoved }))
  const { link_count: links } = label
  return (
    <Dialog
      title={isMerge ? labelStrings.mergeTitle(label.name) : labelStrings.deleteTitle(label.name)}
      onClose={onClose}
      isFirm={removal.isPending}
      foot={
        <>
          <Button disabled={removal.isPending} onClick={onClose}>
            {strings.actions.cancel}
          </Button>
          <Button
            variant="danger"
            missing={isMerge && into === undefined ? texts.mergeHint : undefined}
            isBusy={removal.isPending}
            onClick={submit}
          >
            {isMerge ? texts.mergeAction : texts.deleteAction}
          </Button>
        </>
      }
    >
      {removal.error && <Notice tone="bad">{reasonOf(removal.error)}</Notice>}
      {isMerge && (
        <Combobox
          label={texts.mergeInto}
          hint={texts.mergeHint}
          options={labelOptions(others)}
          none={texts.none}
          value={name}
          allowsOwn={false}
          onValue={setName}
          disabled={removal.isPending}
        />
      )}
      {!isMerge && <p>{texts.deleteText(links, fullNumber(links))}</p>}
      {into && <p>{texts.mergeText(links, fullNumber(links), into.name)}</p>}
      <p className="hint" role="status">
        {removal.isPending && links > QUICK_LINKS && labelStrings.working}
      </p>
    </Dialog>
  )
}

const reasonOf = (error: Error): string =>
  error instanceof RequestFailure && error.fields.into ? error.fields.into.join(' ') : sentenceOf(error)
