import { LoaderCircle } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { Link, useLocation } from 'wouter'
import { RequestFailure } from '../../api/request.ts'
import { useToast } from '../../components/dialogs/toasts.tsx'
import { fullNumber, percent } from '../../format.ts'
import { useSignedIn } from '../../use-session.ts'
import { useListRefresh } from '../link-queries.ts'
import { importedLinks, percentDone } from './import-progress.ts'
import { runningStrings as texts } from './running-strings.ts'
import { forgetImport, useRememberedImport } from './remembered-import.ts'
import './running-import.css'
import { useImportJob } from './job-queries.ts'

/** On every page: how far the import is that was started in this browser. Says when it has ended. */
export function RunningImport() {
  const { user } = useSignedIn()
  const id = useRememberedImport(user.workspace.id)
  return id === undefined ? null : <FollowedImport key={id} id={id} workspaceId={user.workspace.id} />
}

function FollowedImport({ id, workspaceId }: { id: number; workspaceId: number }) {
  const { data: job, error } = useImportJob(id)
  const [path, navigate] = useLocation()
  const toast = useToast()
  const refreshLists = useListRefresh()
  const page = `/imports/${id}`
  const isGone = error instanceof RequestFailure && error.kind === 'not-found'
  const isOver = isGone || (job !== undefined && job.state !== 'importing')
  const sayEnd = useEffectEvent(() => {
    if (!forgetImport(workspaceId, id) || job === undefined) return
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
  if (job === undefined || isOver) return null
  const done = percentDone(job.progress)
  return (
    <Link href={page} className="running-import" aria-current={path === page ? 'page' : undefined}>
      <LoaderCircle size={16} aria-hidden />
      <span>{texts.importing}</span> {done !== undefined && percent(done)}
    </Link>
  )
}
