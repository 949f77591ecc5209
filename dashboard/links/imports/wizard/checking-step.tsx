import { Button } from '../../../components/button.tsx'
import { Progress } from '../../../components/states.tsx'
import { useErrorToast } from '../../../components/dialogs/toasts.tsx'
import { timeOfDay } from '../../../format.ts'
import type { ImportSource } from './import-sources.ts'
import { stopJob, useJobChange } from '../job-queries.ts'
import type { ImportJobView } from '../../../../src/http/endpoints/browser-types.ts'
import { WizardFrame } from './wizard-frame.tsx'
import { wizardStrings } from './wizard-strings.ts'

const texts = wizardStrings.checking

type CheckingStepProps = { job: ImportJobView; source: ImportSource }

/** The dry run is under way. */
export function CheckingStep({ job, source }: CheckingStepProps) {
  const stop = useJobChange(() => stopJob(job.id), { onError: useErrorToast() })
  const { links, of } = job.progress
  return (
    <WizardFrame
      step="check"
      isUpload={job.url === null}
      title={texts.title(source.title)}
      lead={texts.lead}
      foot={{
        right: (
          <Button isBusy={stop.isPending} onClick={() => stop.mutate()}>
            {texts.stop}
          </Button>
        ),
      }}
    >
      <div className="card import-progress">
        <div>
          <div className="progress-head" role="status">
            <strong>
              <span className="spinner" aria-hidden />
              {texts.read(links)}
            </strong>
            {job.waiting_until && (
              <span>{wizardStrings.progress.waiting(source.title, timeOfDay(job.waiting_until))}</span>
            )}
          </div>
          {of !== null && <Progress label={texts.title(source.title)} value={links} max={of} isWork />}
        </div>
      </div>
    </WizardFrame>
  )
}
