import { History } from 'lucide-react'
import { useState } from 'react'
import type {
  LinkDestinationView,
  LinkVersionView,
  OwnLink,
} from '../../../src/http/dashboard-api/types/link-types.ts'
import { calendarDay, withoutScheme } from '../../format.ts'
import { Question } from '../../components/dialog.tsx'
import { PageButtons } from '../../components/page-buttons.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Empty, Failed } from '../../components/states.tsx'
import { useCan } from '../../use-session.ts'
import { historyStrings as texts } from '../../strings/history-strings.ts'
import { useDestinations } from './use-destinations.ts'
import { useRestoration } from './use-restoration.ts'
import { useVersions } from './use-versions.ts'
import { VersionEntry } from './version-entry.tsx'
import '../../styles/history-style.ts'

/** What visitors of a link met, change by change. */
export default function LinkHistory({ link }: { link: OwnLink }) {
  const [page, setPage] = useState(1)
  const [wanted, setWanted] = useState<LinkVersionView>()
  const versions = useVersions(link, page)
  const canWrite = useCan('links:write')
  const destinations = useDestinations(link).data ?? []
  const rows = versions.data?.data
  if (versions.error !== null && rows === undefined) {
    return (
      <div className="card">
        <Failed error={versions.error} onRetry={() => void versions.refetch()} />
      </div>
    )
  }
  if (rows === undefined) return <HistorySkeleton />
  if (versions.data!.meta.total === 1) {
    return (
      <div className="card">
        <Empty icon={History} title={texts.title} text={texts.empty(calendarDay(link.created_at))} />
      </div>
    )
  }
  return (
    <div className="stack">
      <p className="hint">{texts.lead}</p>
      <div className="card">
        <ol className="versions" reversed>
          {rows.map((row) => (
            <VersionEntry
              key={row.version}
              version={row}
              isCurrent={row.version === link.version}
              {...spanOf(row, destinations)}
              onRestore={canWrite ? () => setWanted(row) : undefined}
            />
          ))}
        </ol>
        <PageButtons label={texts.pages} meta={versions.data!.meta} onPage={setPage} />
      </div>
      {wanted && (
        <RestoreQuestion
          link={link}
          version={wanted}
          destination={destinations.find(({ version }) => version <= wanted.version)}
          onClose={() => setWanted(undefined)}
        />
      )}
    </div>
  )
}

function spanOf({ version }: LinkVersionView, destinations: readonly LinkDestinationView[]) {
  const at = destinations.findIndex((each) => each.version === version)
  return { destination: destinations[at], until: destinations[at - 1]?.since }
}

type RestoreQuestionProps = {
  link: OwnLink
  version: LinkVersionView
  /** Where the link led then; undefined if that is too long ago to be known here. */
  destination: LinkDestinationView | undefined
  onClose: () => void
}

function RestoreQuestion({ link, version, destination, onClose }: RestoreQuestionProps) {
  const restoration = useRestoration(link)
  const leadsElsewhere = destination !== undefined && destination.original_url !== link.original_url
  return (
    <Question
      title={leadsElsewhere ? texts.restoreDestination : texts.restoreVersion}
      text={leadsElsewhere ? texts.visitorsGo(withoutScheme(destination.original_url)) : texts.asItWas}
      action={texts.restore}
      isBusy={restoration.isPending}
      onYes={() =>
        restoration.mutate({ version: version.version, current: link.version }, { onSettled: onClose })
      }
      onClose={onClose}
    />
  )
}

const HistorySkeleton = () => (
  <div className="card" aria-busy>
    {[1, 2, 3].map((row) => (
      <div key={row} className="version">
        <Skeleton width={28} height={28} radius={14} />
        <div className="version-content">
          <Skeleton width={240} height={16} />
          <Skeleton width="100%" height={48} />
        </div>
      </div>
    ))}
  </div>
)
