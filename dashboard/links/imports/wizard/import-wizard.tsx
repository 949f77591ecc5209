import { useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { PageSkeleton } from '../../../shell/first-paint.tsx'
import { FailedCard, hasFailed } from '../../../components/states.tsx'
import { CheckStep } from './check-step.tsx'
import { CheckingStep } from './checking-step.tsx'
import { ColumnsStep } from './columns-step.tsx'
import { ConnectStep } from './connect-step.tsx'
import { DoneStep } from './done-step.tsx'
import { type ImportSource, sourceNamed } from './import-sources.ts'
import { useImportJob } from '../job-queries.ts'
import { ProgressStep } from './progress-step.tsx'
import { SourceStep } from './source-step.tsx'
import { type Upload, useUpload } from './upload.ts'
import { pageOf } from './wizard-steps.ts'
import { wizardStrings as texts } from './wizard-strings.ts'

/** `id`: of the job; undefined for a new one. An upload goes on while the job that it belongs to is made. */
export function ImportWizard({ id }: { id: number | undefined }) {
  const upload = useUpload()
  return id === undefined ? <NewImport upload={upload} /> : <JobPage key={id} {...{ id, upload }} />
}

/** The URL says which source was chosen. */
function NewImport({ upload }: { upload: Upload }) {
  const [parameters] = useSearchParams()
  const [, navigate] = useLocation()
  const source = sourceNamed(parameters.get('source'))
  const [chosen, choose] = useState<ImportSource | undefined>(source)
  if (source) return <ConnectStep {...{ source, upload }} job={undefined} />
  return (
    <SourceStep
      chosen={chosen}
      onChoose={choose}
      onContinue={({ name }) => navigate(`/imports/new?source=${name}`)}
    />
  )
}

/** A job is shown at the step that it has reached, so that a reload or a later visit continues there. */
function JobPage({ id, upload }: { id: number; upload: Upload }) {
  const query = useImportJob(id)
  const [parameters] = useSearchParams()
  const { data: job } = query
  if (hasFailed(query)) return <FailedCard what={texts.title} query={query} heading="h1" />
  if (job === undefined) return <PageSkeleton />
  const source = sourceNamed(job.source) ?? {
    name: job.source,
    title: job.title,
    text: '',
    has: [],
    files: '',
  }
  switch (pageOf(job, source, parameters.get('step'))) {
    case 'connect':
      return <ConnectStep {...{ source, job, upload }} />
    case 'columns':
      return <ColumnsStep {...{ job }} />
    case 'checking':
      return <CheckingStep {...{ job, source }} />
    case 'check':
      return <CheckStep {...{ job, source }} />
    case 'import':
      return <ProgressStep {...{ job, source }} />
    case 'done':
      return <DoneStep {...{ job, source }} />
  }
}
