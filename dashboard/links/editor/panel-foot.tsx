import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { fullNumber } from '../../format.ts'
import { Button } from '../../components/button.tsx'
import { IS_APPLE } from '../../shortcuts.ts'
import { editorStrings } from './editor-strings.ts'
import { strings } from '../../strings.ts'
import type { LinkFields } from './use-link-form.ts'

type PanelFootProps = {
  action: string
  /** While nothing else is to be said there. */
  footStart?: ReactNode
  fields: LinkFields
  /** The ID of the form. */
  form: string
  isSaving: boolean
  onCancel: () => void
}

export const PanelFoot = ({ action, footStart, fields, form, isSaving, onCancel }: PanelFootProps) => (
  <>
    <FootStatus fields={fields} rest={footStart} />
    <Button onClick={onCancel}>{strings.actions.cancel}</Button>
    <Button
      type="submit"
      form={form}
      variant="primary"
      isBusy={isSaving}
      aria-keyshortcuts={IS_APPLE ? 'Meta+Enter' : 'Control+Enter'}
    >
      {action} <kbd aria-hidden>{IS_APPLE ? '⌘↵' : 'Ctrl ↵'}</kbd>
    </Button>
  </>
)

function FootStatus({ fields, rest }: { fields: LinkFields; rest: ReactNode }) {
  const { changes, errorCount: errors } = fields
  const hasStatus = errors > 0 || (changes.length > 0 && rest === undefined)
  return (
    <div className="panel-status" role="status">
      {errors > 0 && (
        <span className="is-bad">
          <CircleAlert size={16} aria-hidden />
          {editorStrings.errors(fullNumber(errors))}
        </span>
      )}
      {errors === 0 && hasStatus && (
        <span className="is-changed">{editorStrings.changes(fullNumber(changes.length))}</span>
      )}
      {!hasStatus && rest}
    </div>
  )
}
