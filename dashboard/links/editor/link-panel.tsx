import { CircleAlert, Eye, FlaskConical } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import type { OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import { fullNumber } from '../../format.ts'
import { Question } from '../../components/dialogs/dialog.tsx'
import { Form } from '../../components/fields/form.tsx'
import { FORM, PREVIEW, SidePanel, TEST, usePanelTabs } from './side-panel.tsx'
import { Notice } from '../../components/states.tsx'
import { IS_APPLE, isKeyTaken } from '../../shell/shortcuts.ts'
import { editorStrings } from './editor-strings.ts'
import { useSignedIn } from '../../use-session.ts'
import { AdvancedSection } from './advanced-section.tsx'
import { rootOf } from '../root-of.ts'
import { CampaignSection } from './utm/campaign-section.tsx'
import { MainFields } from './main-fields.tsx'
import type { Neighbors } from './panel-tools.tsx'
import { PasswordSection } from './password-section.tsx'
import { PreviewAside } from './preview/preview-aside.tsx'
import { ScheduleSection } from './schedule-section.tsx'
import { SocialSection } from './social-section.tsx'
import { LinkTest } from './test/link-test.tsx'
import { useLinkTest } from './test/use-link-test.ts'
import { RulesSection, TestedRule } from './rules/rule-list.tsx'
import type { LinkFields } from './use-link-form.ts'
import { Button } from '../../components/button.tsx'
import { strings } from '../../strings.ts'

const ASIDES = {
  preview: { value: PREVIEW, label: editorStrings.tabs.preview, icon: Eye },
  test: { value: TEST, label: editorStrings.tabs.test, icon: FlaskConical },
}

type LinkPanelProps = {
  title: string
  about?: ReactNode
  /** In the head. `leave` asks before changes are lost. */
  tools?: (leave: (then: () => void) => void) => ReactNode
  /** For J and K. */
  neighbors?: Neighbors | undefined
  /** Over the form. */
  notice?: ReactNode
  opensSchedule?: boolean
  opensTest?: boolean
  /** Undefined for a new link. */
  link?: OwnLink
  fields: LinkFields
  error: unknown
  isSaving: boolean
  action: string
  /** At the left of the foot while nothing else is to be said there. */
  footStart?: ReactNode
  onSave: () => unknown
  onClose: () => void
}

/** The editor of new and of existing links. */
export function LinkPanel({
  title,
  about,
  tools,
  neighbors,
  notice,
  opensSchedule = false,
  opensTest = false,
  link,
  fields,
  error,
  isSaving,
  onSave,
  onClose,
  ...texts
}: LinkPanelProps) {
  const { suggest, ...tabs } = usePanelTabs(opensTest)
  const test = useLinkTest(fields, link, tabs.aside === TEST)
  const formId = useId()
  const parts = { fields, link, shortUrl: useShortUrl(link, fields) }
  const { leave, question } = useLeaving(fields.changes.length, isSaving)
  const close = () => leave(onClose)
  const save = () => {
    if (isSaving) return undefined
    tabs.onTab(FORM)
    fields.noteSent()
    return onSave()
  }
  return (
    <>
      <SidePanel
        title={title}
        about={about}
        tools={tools?.(leave)}
        onClose={close}
        {...tabs}
        formName={editorStrings.tabs.link}
        asidesName={editorStrings.asides}
        asides={[
          { ...ASIDES.preview, content: <PreviewAside {...parts} /> },
          { ...ASIDES.test, content: <LinkTest test={test} isFirst={opensTest} /> },
        ]}
        onKeyDown={(event) => {
          submitOnKeys(event)
          goToNeighbor(event, neighbors, leave)
        }}
        form={
          <TestedRule value={test.rule}>
            <Form id={formId} error={error} onSubmit={save}>
              {notice}
              <FormContent {...parts} opensSchedule={opensSchedule} suggest={suggest} />
            </Form>
          </TestedRule>
        }
        foot={<PanelFoot {...texts} fields={fields} form={formId} isSaving={isSaving} onCancel={close} />}
      />
      {question}
    </>
  )
}

/** Asks before changes are lost: by closing the editor, or by going to another link. */
function useLeaving(changes: number, isSaving: boolean) {
  /** What to do once they may be lost. */
  const [leaving, setLeaving] = useState<() => void>()
  return {
    leave: (then: () => void) => {
      if (isSaving) return
      if (changes > 0) setLeaving(() => then)
      else then()
    },
    question: leaving && (
      <Question
        title={editorStrings.discardTitle(fullNumber(changes))}
        text={editorStrings.discardText}
        action={editorStrings.discard}
        back={editorStrings.keepEditing}
        onYes={leaving}
        onClose={() => setLeaving(undefined)}
      />
    ),
  }
}

type LinkPartProps = { fields: LinkFields; link: OwnLink | undefined; shortUrl: string }

type FormContentProps = LinkPartProps & { opensSchedule: boolean; suggest: (aside: string) => void }

function FormContent({ fields, link, shortUrl, opensSchedule, suggest }: FormContentProps) {
  const otherCodes = useRef<HTMLInputElement>(null)
  const addCode = () => {
    const input = otherCodes.current!
    input.closest('details')!.open = true
    input.focus()
  }
  return (
    <>
      {fields.otherErrors.length > 0 && <Notice tone="bad">{fields.otherErrors.join(' ')}</Notice>}
      <MainFields fields={fields} link={link} onAnotherCode={addCode} />
      <div className="sections">
        <ScheduleSection fields={fields} link={link} isFirst={opensSchedule} onOpen={() => suggest(TEST)} />
        <PasswordSection fields={fields} onOpen={() => suggest(TEST)} />
        <RulesSection fields={fields} onOpen={() => suggest(TEST)} />
        <CampaignSection fields={fields} />
        <SocialSection fields={fields} onOpen={() => suggest(PREVIEW)} />
        <AdvancedSection fields={fields} shortUrl={shortUrl} otherCodes={otherCodes} />
      </div>
    </>
  )
}

function submitOnKeys(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
  event.preventDefault()
  event.currentTarget.querySelector('form')?.requestSubmit()
}

function goToNeighbor(
  event: KeyboardEvent,
  neighbors: Neighbors | undefined,
  leave: (then: () => void) => void,
): void {
  if (event.ctrlKey || event.metaKey || event.altKey || isKeyTaken(event.target)) return
  const neighbor = { j: neighbors?.next, k: neighbors?.previous }[event.key]
  if (neighbor) leave(neighbor)
}

/** Of a new link: as it is going to be. */
function useShortUrl(link: OwnLink | undefined, { form }: LinkFields): string {
  const { instance } = useSignedIn()
  const { domain, custom_code: code } = form
  return link?.short_url ?? `${rootOf(domain, instance)}/${code || editorStrings.someCode}`
}

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

const PanelFoot = ({ action, footStart, fields, form, isSaving, onCancel }: PanelFootProps) => (
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
