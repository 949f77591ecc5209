import { LoaderCircle } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { RequestFailure } from '../../api/request.ts'
import { useToast } from '../../components/dialogs/toasts.tsx'
import { fullNumber, percent } from '../../format.ts'
import { useCan, useSignedIn } from '../../use-session.ts'
import { useListRefresh } from '../link-queries.ts'
import { importedLinks, percentDone } from './import-progress.ts'
import { runningStrings as texts } from './running-strings.ts'
import { isFirstToSay, useRunningImportChange } from './running-session.ts'
import './running-import.css'
import { useImportJob } from './job-queries.ts'

/** On every page: how far the import is that the server runs for the workspace, also when another member has started it. Says when it has ended. */
export function RunningImport() {
  const { workspace, running_import: running } = useSignedIn().user
  return <LatestImport key={workspace.id} running={running} />
}

/** It is followed until its end was said, also if the session has learned of that before. */
function LatestImport({ running }: { running: number | null }) {
  const [followed, follow] = useState(running)
  if (followed === null && running !== null) follow(running)
  if (followed === null) return null
  return <FollowedImport key={followed} id={followed} onOver={() => follow(null)} />
}

function FollowedImport({ id, onOver }: { id: number; onOver: () => void }) {
  const { data: job, error, isFetchedAfterMount } = useImportJob(id, { refetchOnMount: 'always' })
  const [path, navigate] = useLocation()
  const canWrite = useCan('links:write')
  const toast = useToast()
  const refreshLists = useListRefresh()
  const changeRunning = useRunningImportChange()
  const page = canWrite ? `/imports/${id}` : '/imports'
  const isGone = error instanceof RequestFailure && error.kind === 'not-found'
  const isOver = isGone || (isFetchedAfterMount && job !== undefined && job.state !== 'importing')
  const sayEnd = useEffectEvent(() => {
    changeRunning(null)
    onOver()
    if (job === undefined || !isFirstToSay(`${id} ${job.state} ${job.progress.links}`)) return
    refreshLists()
    // The page of the import says it already.
    if (path === page || job.state === 'stopped') return
    const text =
      job.state === 'done' && job.results !== null
        ? texts.done(fullNumber(importedLinks(job.results)), job.title)
        : texts.interrupted(job.title)
    toast({ text, actions: [{ label: texts.show, onSelect: () => navigate(page) }] })
  })
  useEffect(() => {
    if (isOver) sayEnd()
  }, [isOver])
  if (job === undefined || job.state !== 'importing') return null
  const done = percentDone(job.progress)
  return (
    <Link href={page} className="running-import" aria-current={path === page ? 'page' : undefined}>
      <LoaderCircle size={16} aria-hidden />
      <span className="cut">{texts.importing(job.title)}</span>
      {done !== undefined && <span>{percent(done)}</span>}
    </Link>
  )
}
