import { useState } from 'react'
import { useLinkCreation } from '../../queries.ts'
import { lazyStrings } from '../../strings/lazy-strings.ts'
import { strings } from '../../strings/strings.ts'
import { createAndCopy, type Created } from '../create-and-copy.ts'
import { newForm, newLinkInput } from './link-form.ts'
import { LinkPanel } from './link-panel.tsx'
import { useLinkForm } from './use-link-form.ts'

type CreatePanelProps = {
  /** What was typed before the panel opened. */
  firstUrl: string
  onCreated: Created
  onClose: () => void
}

export default function CreatePanel({ firstUrl, onCreated, onClose }: CreatePanelProps) {
  const creation = useLinkCreation()
  const fields = useLinkForm(() => newForm(firstUrl), creation.error)
  const [wantsAnother, setWantsAnother] = useState(false)
  const save = async () => {
    const created = await createAndCopy(creation, newLinkInput(fields.form))
    onCreated(...created)
    if (wantsAnother) fields.reset(newForm(''))
    else onClose()
  }
  return (
    <LinkPanel
      title={lazyStrings.editor.create}
      fields={fields}
      error={creation.error}
      isSaving={creation.isPending}
      action={strings.links.create}
      footStart={
        <label className="check-line">
          <input
            type="checkbox"
            checked={wantsAnother}
            onChange={({ target }) => setWantsAnother(target.checked)}
          />
          {lazyStrings.editor.another}
        </label>
      }
      // The panel shows the error of a failed creation.
      onSave={() => void save().catch(() => {})}
      onClose={onClose}
    />
  )
}
