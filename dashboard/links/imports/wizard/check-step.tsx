import { useLocation, useSearchParams } from 'wouter'
import { Button } from '../../../components/button.tsx'
import { FormFailure, Notice } from '../../../components/states.tsx'
import { useRunningImportChange } from '../running-session.ts'
import { CheckedItems } from './check-items.tsx'
import { FigureChoice } from './figure-cards.tsx'
import { linksToImport, outcomeText } from './import-numbers.ts'
import type { ImportSource } from './import-sources.ts'
import { checkJob, type ItemResult, startJob, useJobChange, useJobDeletion } from '../job-queries.ts'
import type { ImportJobView } from '../../../../src/http/endpoints/browser-types.ts'
import { WizardFrame } from './wizard-frame.tsx'
import { wizardStrings } from './wizard-strings.ts'

const texts = wizardStrings.check

type CheckStepProps = { job: ImportJobView; source: ImportSource }
type Counts = NonNullable<ImportJobView['counts']>

/** What would become of each link, and what to do with conflicts. */
export function CheckStep({ job, source }: CheckStepProps) {
  const { counts } = job
  return counts === null || job.state !== 'checked' ? (
    <NotChecked {...{ job, source }} />
  ) : (
    <Checked {...{ job, source, counts }} />
  )
}

function Checked({ job, source, counts }: CheckStepProps & { counts: Counts }) {
  const changeRunning = useRunningImportChange()
  const [parameters, setParameters] = useSearchParams()
  const start = useJobChange(() => startJob(job.id), { onSuccess: () => changeRunning(job.id) })
  const count = linksToImport(job)
  const shown = shownOf(counts, parameters.get('show'))
  // After conflicts, what is refused is the next thing to look at.
  const lists: ItemResult[] = shown === 'conflict' && counts.refused > 0 ? ['conflict', 'refused'] : [shown]
  return (
    <WizardFrame
      step="check"
      isUpload={job.url === null}
      title={texts.title}
      lead={texts.lead(sourceText(job, source), totalOf(counts))}
      foot={{
        left: <BackButton {...{ job, source }} />,
        right: (
          <>
            <span className="soft">{outcomeText(job)}</span>
            <Button
              variant="primary"
              isBusy={start.isPending}
              missing={count === 0 ? texts.nothing : undefined}
              onClick={() => start.mutate()}
            >
              {texts.import(count)}
            </Button>
          </>
        ),
      }}
    >
      <FormFailure error={start.error} />
      <FigureChoice
        counts={countsByResult(counts)}
        shown={shown}
        onShow={(result) => setParameters({ show: result }, { replace: true })}
      />
      {job.old_codes > 0 && <Notice>{texts.oldCodes(job.old_codes)}</Notice>}
      {lists.map((result) => (
        <CheckedItems key={result} {...{ job, result }} total={countsByResult(counts)[result]} />
      ))}
    </WizardFrame>
  )
}

const sourceText = ({ files, url }: ImportJobView, { title }: ImportSource): string =>
  [title, url, ...files.map(({ name }) => name)].filter(Boolean).join(', ')

const totalOf = ({ created, equal, conflicts, refused }: Counts) => created + equal + conflicts + refused

const countsByResult = ({ conflicts, ...counts }: Counts): Record<ItemResult, number> => ({
  ...counts,
  conflict: conflicts,
})

/** What needs a decision first. */
const BY_NEED: ItemResult[] = ['conflict', 'refused', 'created', 'equal']

function shownOf(counts: Counts, wanted: string | null): ItemResult {
  const byResult = countsByResult(counts)
  return (
    BY_NEED.find((result) => result === wanted) ?? BY_NEED.find((result) => byResult[result] > 0) ?? 'created'
  )
}

/** A key that was refused is not shown again: another one makes another job. */
function BackButton({ job, source }: CheckStepProps) {
  const [, navigate] = useLocation()
  const deletion = useJobDeletion({ onSuccess: () => navigate(`/imports/new?source=${source.name}`) })
  const step = source.isTable ? 'columns' : 'upload'
  return job.url === null ? (
    <Button onClick={() => navigate(`/imports/${job.id}?step=${step}`)}>{wizardStrings.goBack}</Button>
  ) : (
    <Button isBusy={deletion.isPending} onClick={() => deletion.mutate(job.id)}>
      {job.state === 'failed' ? texts.changeKey : wizardStrings.goBack}
    </Button>
  )
}

/** The check failed or was stopped. */
function NotChecked({ job, source }: CheckStepProps) {
  const check = useJobChange(() => checkJob(job.id))
  const hasFailed = job.state === 'failed'
  const title = hasFailed ? texts.failedTitle : job.state === 'draft' ? texts.draftTitle : texts.stoppedTitle
  return (
    <WizardFrame
      step="check"
      isUpload={job.url === null}
      title={title}
      lead={texts.stopped}
      foot={{
        left: <BackButton {...{ job, source }} />,
        right: (
          <Button variant="primary" isBusy={check.isPending} onClick={() => check.mutate()}>
            {job.state === 'draft' ? wizardStrings.connect.check : texts.again}
          </Button>
        ),
      }}
    >
      <FormFailure error={check.error} />
      {job.message && <Notice tone={hasFailed ? 'bad' : 'plain'}>{job.message}</Notice>}
    </WizardFrame>
  )
}
