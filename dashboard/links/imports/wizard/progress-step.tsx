import { CircleAlert, CircleCheck, CircleDashed, CirclePause, Loader } from 'lucide-react'
import { useLocation } from 'wouter'
import { Button } from '../../../components/button.tsx'
import { useErrorToast } from '../../../components/dialogs/toasts.tsx'
import { Progress } from '../../../components/states.tsx'
import { fullNumber, timeOfDay } from '../../../format.ts'
import { useRunningImportChange } from '../running-session.ts'
import { outcomeText } from './import-numbers.ts'
import type { ImportSource } from './import-sources.ts'
import { startJob, stopJob, useJobChange } from '../job-queries.ts'
import type { ImportJobView } from '../../../../src/http/endpoints/browser-types.ts'
import { WizardFrame } from './wizard-frame.tsx'
import { wizardStrings } from './wizard-strings.ts'

const texts = wizardStrings.progress

type ProgressStepProps = { job: ImportJobView; source: ImportSource }

/** The server imports, or was interrupted. */
export function ProgressStep({ job, source }: ProgressStepProps) {
  const isRunning = job.state === 'importing'
  return (
    <WizardFrame
      step="import"
      isUpload={job.url === null}
      title={titleOf(job, source)}
      lead={isRunning ? texts.lead : texts.failedLead}
      foot={
        isRunning
          ? { left: <span className="soft">{texts.stopHint}</span>, right: <StopButton {...job} /> }
          : { left: <ShowLinks {...job} />, right: <ContinueButton {...job} /> }
      }
    >
      <div className="card import-progress">
        <ProgressBar {...{ job, source }} />
        <ProgressLines job={job} />
      </div>
    </WizardFrame>
  )
}

const titleOf = ({ state }: ImportJobView, { title }: ImportSource): string =>
  state === 'importing' ? texts.title(title) : state === 'failed' ? texts.failedTitle : texts.stoppedTitle

function StopButton({ id }: Pick<ImportJobView, 'id'>) {
  const stop = useJobChange(() => stopJob(id), { onError: useErrorToast() })
  return (
    <Button variant="danger" isBusy={stop.isPending} onClick={() => stop.mutate()}>
      {texts.stop}
    </Button>
  )
}

function ContinueButton({ id }: Pick<ImportJobView, 'id'>) {
  const changeRunning = useRunningImportChange()
  const start = useJobChange(() => startJob(id), {
    onSuccess: () => changeRunning(id),
    onError: useErrorToast(),
  })
  return (
    <Button variant="primary" isBusy={start.isPending} onClick={() => start.mutate()}>
      {texts.continue}
    </Button>
  )
}

function ShowLinks({ import_id: id }: Pick<ImportJobView, 'import_id'>) {
  const [, navigate] = useLocation()
  return <Button onClick={() => navigate(`/?import_id=${id}`)}>{texts.show}</Button>
}

function ProgressBar({ job, source }: ProgressStepProps) {
  const { links, of } = job.progress
  const text = of === null ? texts.countOnly(links) : texts.count(fullNumber(links), fullNumber(of))
  return (
    <div>
      <div className="progress-head">
        <strong>
          {job.state === 'importing' && <span className="spinner" aria-hidden />}
          {text}
        </strong>
        {job.waiting_until && <span>{texts.waiting(source.title, timeOfDay(job.waiting_until))}</span>}
      </div>
      <Progress label={texts.lines} value={links} max={of ?? Math.max(links, 1)} isWork />
    </div>
  )
}

const ICONS = {
  done: CircleCheck,
  running: Loader,
  stopped: CirclePause,
  failed: CircleAlert,
  open: CircleDashed,
}
type LineState = keyof typeof ICONS
type LineProps = { state: LineState; title: string; text: string }

function Line({ state, title, text }: LineProps) {
  const Icon = ICONS[state]
  return (
    <li className={`is-${state}`}>
      <Icon size={17} aria-hidden />
      <div>
        <strong>{title}</strong>
        <span className="only-spoken"> {texts.states[state]}</span>
        <p>{text}</p>
      </div>
    </li>
  )
}

const STATE_OF: Partial<Record<ImportJobView['state'], LineState>> = { failed: 'failed', stopped: 'stopped' }

/** What is done, under way and still to come. */
function ProgressLines({ job }: { job: ImportJobView }) {
  const state = STATE_OF[job.state] ?? 'running'
  return (
    <ul className="step-lines" aria-label={texts.lines}>
      <Line state="done" title={texts.checked} text={outcomeText(job)} />
      <Line state={state} title={texts.links} text={job.message ?? texts.linksText} />
      <Line state="open" title={texts.end} text={texts.endText} />
    </ul>
  )
}
