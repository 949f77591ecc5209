import { CircleAlert } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import type { LinkView } from '../../../src/http/dashboard-api/dashboard-types.ts'
import { fullNumber, hostOf } from '../../format.ts'
import { Button } from '../../components/button.tsx'
import { Question } from '../../components/dialog.tsx'
import { Form } from '../../components/form.tsx'
import { SidePanel } from '../../components/side-panel.tsx'
import { Notice } from '../../components/states.tsx'
import { IS_APPLE } from '../../shortcuts.ts'
import { strings } from '../../strings/strings.ts'
import { lazyStrings } from '../../strings/lazy-strings.ts'
import { useSignedIn } from '../../use-session.ts'
import { AdvancedSection } from './advanced-section.tsx'
import { CampaignSection } from './campaign-section.tsx'
import { MainFields } from './main-fields.tsx'
import { PasswordSection } from './password-section.tsx'
import { ScheduleSection } from './schedule-section.tsx'
import { SocialCard } from './social-card.tsx'
import { SocialSection } from './social-section.tsx'
import type { LinkFields } from './use-link-form.ts'

const { editor } = lazyStrings

type LinkPanelProps = {
  title: string
  about?: ReactNode
  /** Undefined for a new link. */
  link?: LinkView
  fields: LinkFields
  error: unknown
  isSaving: boolean
  action: string
  /** At the left of the foot while nothing else is to be said there. */
  footStart?: ReactNode
  onSave: () => void
  onClose: () => void
}

/** The editor of new and of existing links. */
export function LinkPanel({
  title,
  about,
  link,
  fields,
  error,
  isSaving,
  onSave,
  onClose,
  ...texts
}: LinkPanelProps) {
  const [isAsking, setAsking] = useState(false)
  const [tab, setTab] = useState<'form' | 'aside'>('form')
  const formId = useId()
  const changes = fields.changes.length
  const shortUrl = useShortUrl(link, fields)
  const close = () => {
    if (isSaving) return
    if (changes > 0) setAsking(true)
    else onClose()
  }
  const save = () => {
    if (isSaving) return
    setTab('form')
    fields.noteSent()
    onSave()
  }
  return (
    <>
      <SidePanel
        title={title}
        about={about}
        onClose={close}
        tab={tab}
        onTab={setTab}
        tabNames={{ form: editor.tabs.link, aside: editor.tabs.preview }}
        onKeyDown={submitOnKeys}
        form={
          <Form id={formId} error={error} onSubmit={save}>
            <FormContent fields={fields} link={link} shortUrl={shortUrl} />
          </Form>
        }
        aside={<Preview fields={fields} link={link} shortUrl={shortUrl} />}
        foot={<Foot {...texts} fields={fields} form={formId} isSaving={isSaving} onCancel={close} />}
      />
      {isAsking && (
        <Question
          title={editor.discardTitle(fullNumber(changes))}
          text={editor.discardText}
          action={editor.discard}
          onYes={onClose}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

type LinkPartProps = { fields: LinkFields; link: LinkView | undefined; shortUrl: string }

const FormContent = ({ fields, link, shortUrl }: LinkPartProps) => (
  <>
    {fields.otherErrors.length > 0 && <Notice tone="bad">{fields.otherErrors.join(' ')}</Notice>}
    <MainFields fields={fields} link={link} />
    <div className="sections">
      <ScheduleSection fields={fields} />
      <PasswordSection fields={fields} />
      <CampaignSection fields={fields} />
      <SocialSection fields={fields} />
      <AdvancedSection fields={fields} shortUrl={shortUrl} />
    </div>
  </>
)

type FootProps = Pick<LinkPanelProps, 'action' | 'footStart' | 'fields' | 'isSaving'> & {
  form: string
  onCancel: () => void
}

const Foot = ({ action, footStart, fields, form, isSaving, onCancel }: FootProps) => (
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

function submitOnKeys(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
  event.preventDefault()
  event.currentTarget.querySelector('form')?.requestSubmit()
}

/** Of a new link: as it is going to be. */
function useShortUrl(link: LinkView | undefined, { form }: LinkFields): string {
  const { instance } = useSignedIn()
  return link?.short_url ?? `${instance.base_url}/${form.custom_code || editor.someCode}`
}

function FootStatus({ fields, rest }: { fields: LinkFields; rest: ReactNode }) {
  const { form, changes, errorsFor } = fields
  const names = Object.keys(form) as (keyof typeof form)[]
  const errors = names.filter((name) => errorsFor(name) !== undefined).length
  const hasStatus = errors > 0 || (changes.length > 0 && rest === undefined)
  return (
    <div className="panel-status" role="status">
      {errors > 0 && (
        <span className="is-bad">
          <CircleAlert size={16} aria-hidden />
          {editor.errors(fullNumber(errors))}
        </span>
      )}
      {errors === 0 && hasStatus && (
        <span className="is-changed">{editor.changes(fullNumber(changes.length))}</span>
      )}
      {!hasStatus && rest}
    </div>
  )
}

const Preview = ({ fields, link, shortUrl }: LinkPartProps) => (
  <>
    <section className="stack">
      <h3>{editor.social.preview}</h3>
      <SocialCard form={fields.form} host={hostOf(shortUrl)} />
    </section>
    {link && (
      <section className="stack">
        <h3>{lazyStrings.qr.title}</h3>
        <img
          className="panel-qr"
          src={`/qr/${encodeURIComponent(link.short_code)}?format=svg&size=256`}
          alt={lazyStrings.qr.of(link.short_url)}
          width={112}
          height={112}
        />
      </section>
    )}
  </>
)
