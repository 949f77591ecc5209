import {
  Ban,
  Equal,
  FlaskConical,
  GitCompareArrows,
  Globe,
  Link2,
  type LucideIcon,
  Undo2,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { useData } from '../../../api/use-data.ts'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { shortDate, timeSpan } from '../../../format.ts'
import { nowMs } from '../../../now.ts'
import { useCan } from '../../../use-session.ts'
import { importedLinks } from '../import-progress.ts'
import { useImport } from '../import-queries.ts'
import { UndoDialog } from '../undo-dialog.tsx'
import { DownloadRefused } from './download-refused.tsx'
import { FigureCard } from './figure-cards.tsx'
import { resultText } from './import-numbers.ts'
import type { ImportSource } from './import-sources.ts'
import type { ImportJobView } from '../../../../src/http/endpoints/browser-types.ts'
import { WizardFrame } from './wizard-frame.tsx'
import { wizardStrings } from './wizard-strings.ts'

const texts = wizardStrings.done

type DoneStepProps = { job: ImportJobView; source: ImportSource }

/** What came of it, and what to do next. */
export function DoneStep({ job, source }: DoneStepProps) {
  const [, navigate] = useLocation()
  const { results, import_id: id } = job
  const { equal, skipped, refused } = results!
  const imported = importedLinks(results!)
  const { data: record } = useImport(id)
  return (
    <WizardFrame
      step="done"
      isUpload={job.url === null}
      isOver
      title={texts.title(imported)}
      lead={leadOf(source, job.progress.since, record?.ended_at ?? null)}
      foot={{
        left: <UndoButton {...{ job }} />,
        right: (
          <Button
            variant="primary"
            onClick={() => navigate(record?.state === 'undone' ? '/imports' : `/?import_id=${id}`)}
          >
            {record?.state === 'undone' ? texts.all : texts.show}
          </Button>
        ),
      }}
    >
      <div className="figure-cards">
        <FigureCard
          icon={Link2}
          label={texts.links}
          value={imported}
          text={resultText(results!, job.choices.rename) || texts.nothing}
        />
        <FigureCard icon={Equal} label={texts.here} value={equal + skipped} text={texts.hereText} />
        <FigureCard icon={Ban} label={texts.refused} value={refused} text={texts.refusedText} />
      </div>
      <Card title={texts.next}>
        <ul className="step-lines">
          <WaitingDomains />
          {job.choices.rename > 0 && (
            <Next
              icon={GitCompareArrows}
              title={texts.renamedTitle(job.choices.rename)}
              text={texts.renamedText}
              action={
                <Button size="small" onClick={() => navigate(`/?import_id=${id}`)}>
                  {texts.review}
                </Button>
              }
            />
          )}
          {refused > 0 && (
            <Next
              icon={Ban}
              title={texts.refusedTitle(refused)}
              text={texts.refusedNext}
              action={<DownloadRefused id={job.id} variant="plain" />}
            />
          )}
          <Next icon={FlaskConical} title={texts.tryCodes} text={texts.tryText} />
        </ul>
      </Card>
    </WizardFrame>
  )
}

const SECOND_MS = 1_000

/** How long it took, if that is worth a word. */
function leadOf({ title }: ImportSource, since: string | null, until: string | null): string {
  if (since === null || until === null || Date.parse(until) - Date.parse(since) < SECOND_MS)
    return texts.leadOnly(title)
  return texts.lead(title, timeSpan(since, until))
}

type NextProps = { icon: LucideIcon; title: string; text: string; action?: ReactNode }

const Next = ({ icon: Icon, title, text, action }: NextProps) => (
  <li>
    <Icon size={17} aria-hidden />
    <div>
      <strong>{title}</strong>
      <p>{text}</p>
    </div>
    {action}
  </li>
)

/** Domains of the workspace whose visitors do not arrive here yet. */
function WaitingDomains() {
  const [, navigate] = useLocation()
  const canMove = useCan('domains:write')
  const { data: domains = [] } = useData('GET /domains', { enabled: canMove })
  return domains
    .filter(({ status }) => status !== 'active')
    .map(({ host }) => (
      <Next
        key={host}
        icon={Globe}
        title={texts.point(host)}
        text={texts.pointText}
        action={
          <Button size="small" onClick={() => navigate(`/domains/${host}`)}>
            {texts.showRecord}
          </Button>
        }
      />
    ))
}

function UndoButton({ job: { import_id: id, title } }: { job: ImportJobView }) {
  const [isOpen, setOpen] = useState(false)
  const { data: record } = useImport(id)
  if (!record || record.counts.created === 0) return null
  const { undo, undoable_until: until, state } = record
  if (state === 'undoing') return <span className="soft">{texts.undoing}</span>
  if (undo !== null) return <span className="soft">{texts.undone}</span>
  if (Date.parse(until) <= nowMs()) return null
  return (
    <>
      <Button icon={Undo2} onClick={() => setOpen(true)}>
        {texts.undo}
      </Button>
      <span className="soft">{texts.undoHint(shortDate(until))}</span>
      {isOpen && <UndoDialog id={record.id} title={title} onClose={() => setOpen(false)} />}
    </>
  )
}
