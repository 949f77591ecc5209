import { useEffect, useState } from 'react'
import type { OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import { useLinkCreation } from '../link-queries.ts'
import { editorStrings } from './editor-strings.ts'
import { strings } from '../../strings.ts'
import { createAndCopy, type Created, useNewLinkDomain } from '../new-link.ts'
import { copyOf, type LinkForm, newForm, newLinkInput } from './link-form.ts'
import { LinkPanel } from './link-panel.tsx'
import { type LinkFields, useLinkForm } from './use-link-form.ts'
import { withUtmOf } from './utm/utm.ts'

type CreatePanelProps = {
  /** What was typed before the panel opened. */
  firstUrl: string
  /** What other fields hold at first. */
  firstForm?: Partial<LinkForm> | undefined
  /** The link that is duplicated. */
  copied?: OwnLink | undefined
  onCreated: Created
  onClose: () => void
}

export default function CreatePanel(props: CreatePanelProps) {
  const { firstUrl, firstForm, copied, onCreated, onClose } = props
  const creation = useLinkCreation()
  const { domains, domain, choose } = useNewLinkDomain()
  const place = domains.length > 1 ? { domain } : { domain: '' }
  const fields = useLinkForm(
    () => ({ ...(copied ? copyOf(copied) : newForm(firstUrl)), ...place, ...firstForm }),
    creation.error,
  )
  const [wantsAnother, setWantsAnother] = useState(false)
  const utm = useKeptUtm(fields)
  const save = async () => {
    const form = utm.apply(fields.form)
    const link = await createAndCopy(creation, newLinkInput(form))
    if (form.domain !== '') choose(form.domain)
    onCreated(...link)
    if (!wantsAnother) return onClose()
    utm.keep(form.original_url)
    fields.reset({ ...newForm(''), domain: form.domain, tags: form.tags, folder: form.folder })
  }
  return (
    <LinkPanel
      title={editorStrings.create}
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
          {editorStrings.another}
        </label>
      }
      onSave={save}
      onClose={onClose}
    />
  )
}

/** The next link gets the UTM parameters of the one before, once its destination is typed. */
function useKeptUtm({ form, set, destination }: LinkFields) {
  const [from, setFrom] = useState('')
  const url = form.original_url
  // Its own parameters, if it has any, win.
  const next = from === '' || url.trim() === '' ? url : withUtmOf(url, withUtmOf(from, url))
  useEffect(() => {
    const input = destination.current
    const fill = () => {
      if (next === url) return
      setFrom('')
      set({ original_url: next })
    }
    input?.addEventListener('blur', fill)
    return () => input?.removeEventListener('blur', fill)
  })
  return { keep: setFrom, apply: (sent: LinkForm): LinkForm => ({ ...sent, original_url: next }) }
}
