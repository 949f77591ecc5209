import { FileClock, Import } from 'lucide-react'
import { useLocation } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { useErrorToast } from '../../components/dialogs/toasts.tsx'
import { RowList } from '../../components/row-list.tsx'
import { relativeTime } from '../../format.ts'
import { importStrings as texts } from './import-strings.ts'
import { useJobDeletion, useOpenJobs } from './job-queries.ts'
import type { ImportJobView } from '../../../src/http/endpoints/browser-types.ts'

export function ImportButton() {
  const [, navigate] = useLocation()
  return (
    <Button icon={Import} variant="primary" onClick={() => navigate('/imports/new')}>
      {texts.import}
    </Button>
  )
}

/** Imports of the wizard that are not done: they are continued, or removed with their files. */
export function OpenJobs() {
  const { data: jobs = [] } = useOpenJobs()
  if (jobs.length === 0) return null
  return (
    <Card title={texts.openTitle}>
      <RowList
        label={texts.openTitle}
        icon={FileClock}
        rows={jobs.map((job) => ({
          id: job.id,
          name: [job.title, ...job.files.map(({ name }) => name)].join(', '),
          hint: texts.openJob(texts.jobStates[job.state], relativeTime(job.created_at)),
          at: job.created_at,
          action: <JobTools job={job} />,
        }))}
      />
    </Card>
  )
}

function JobTools({ job: { id, title, state } }: { job: ImportJobView }) {
  const [, navigate] = useLocation()
  const deletion = useJobDeletion({ said: texts.jobRemoved, onError: useErrorToast() })
  const isRunning = state === 'checking' || state === 'importing'
  return (
    <span className="import-tools">
      <Button
        size="small"
        aria-label={(isRunning ? texts.showProgressOf : texts.continueOf)(title)}
        onClick={() => navigate(`/imports/${id}`)}
      >
        {isRunning ? texts.showProgress : texts.continue}
      </Button>
      {!isRunning && (
        <Button
          size="small"
          aria-label={texts.removeOf(title)}
          isBusy={deletion.isPending}
          onClick={() => deletion.mutate(id)}
        >
          {texts.remove}
        </Button>
      )}
    </span>
  )
}
