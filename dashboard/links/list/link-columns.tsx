import { ArrowDown, ArrowUp } from 'lucide-react'
import { Link as RouteLink } from 'wouter'
import type { ListedLink, MeView } from '../../../src/http/endpoints/browser-types.ts'
import { fullNumber, shortNumber, shortUrlText } from '../../format.ts'
import { InitialBadge } from '../../components/badge.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Sparkline } from '../../components/charts/sparkline.tsx'
import type { Column } from '../../components/table.tsx'
import { FolderName, type TagColors, Tags } from '../../components/tag.tsx'
import { pageOf } from '../link-address.ts'
import { strings } from '../../strings.ts'
import type { LinkActions } from '../link-actions.tsx'
import { LinkBadges, LinkCell, ShortUrl } from '../link-name.tsx'
import type { ListQuery } from './list-query.ts'
import { RowTools } from './row-tools.tsx'
import { pickedOf, type Selection } from '../selection/use-selection.ts'
import { Time } from '../../components/time.tsx'
import { Suspense, useEffect, useRef } from 'react'
import { afterPaint } from '../../chunks/chunks.ts'

const { columns } = strings.links

type ColumnsOptions = {
  actions: LinkActions & { duplicate: (link: ListedLink) => void }
  selection: Selection
  rows: readonly ListedLink[]
  colors: TagColors
  user: Pick<MeView, 'domains' | 'workspace'>
  query: ListQuery
  onSort: (sort: ListQuery['sort'], order: ListQuery['order']) => void
  /** The most frequent actions are in the row, not only in its menu. */
  hasReady: boolean
}

export function linkColumns(options: ColumnsOptions): Column<ListedLink>[] {
  const { actions, selection, colors, query, hasReady, user } = options
  const ifChosen = (column: Column<ListedLink> & { id: ListQuery['columns'][number] }) =>
    query.columns.includes(column.id) ? [column] : []
  const all: Column<ListedLink>[] = [
    ...(actions.canWrite ? [tickColumn(options)] : []),
    {
      id: 'link',
      head: columns.link,
      cell: (link) => (
        <LinkCell link={link} search={query.search}>
          <RouteLink href={pageOf(link)} className="row-link" aria-label={shortUrlText(link.short_url)}>
            <ShortUrl url={link.short_url} search={query.search} />
          </RouteLink>
          <LinkBadges link={link} />
        </LinkCell>
      ),
      skeleton: <LinkSkeleton />,
    },
    ...ifChosen({
      id: 'labels',
      head: columns.labels,
      cell: (link) => <LabelsCell link={link} colors={colors} />,
      skeleton: <Skeleton width={96} height={20} />,
    }),
    ...ifChosen({
      id: 'clicks',
      head: columns.clicks,
      isNumber: true,
      ...sorted(options, 'clicks', columns.clicks),
      cell: (link) => <ClicksCell link={link} />,
      skeleton: <Skeleton width={150} height={24} />,
    }),
    ...ifChosen({
      id: 'created',
      head: columns.created,
      ...sorted(options, 'created_at', columns.created),
      cell: (link) => <CreatedCell link={link} isShared={user.workspace.members > 1} />,
      skeleton: <Skeleton width={72} height={14} />,
    }),
    ...ifChosen({
      id: 'last_click',
      head: columns.lastClick,
      ...sorted(options, 'last_clicked_at', columns.lastClick),
      cell: ({ last_clicked_at: at }) => <Time at={at} />,
      skeleton: <Skeleton width={72} height={14} />,
    }),
    ...(user.domains.length > 1 ? ifChosen(DOMAIN) : []),
    {
      id: 'menu',
      head: columns.menu,
      isHeadHidden: true,
      cell: (link) => <RowTools {...{ link, actions, selection, hasReady }} />,
      skeleton: null,
    },
  ]
  // Heads are too small for a finger, and not shown on a phone. The list's menus sort and select as well.
  return hasReady ? all : all.map(({ headCell: _, ...column }) => column)
}

const DOMAIN = {
  id: 'domain' as const,
  head: columns.domain,
  cell: ({ domain }: ListedLink) => <span className="soft cut">{domain}</span>,
}

/** Who is shown where others could have created the link. */
const CreatedCell = ({ link, isShared }: { link: ListedLink; isShared: boolean }) => {
  const { created_at: at, created_by: creator } = link
  if (!isShared || creator === null) return <Time at={at} />
  const text = strings.links.createdBy(creator.name)
  return (
    <span className="created-cell">
      <span title={text}>
        <InitialBadge name={creator.name} shape="round" />
        <span className="only-spoken">{text}</span>
      </span>
      <Time at={at} />
    </span>
  )
}

/** The head sorts, and the other way when it is pressed again. */
function sorted({ query, onSort }: ColumnsOptions, sort: ListQuery['sort'], head: string) {
  const order = query.sort === sort ? query.order : undefined
  const Arrow = order === 'asc' ? ArrowUp : ArrowDown
  return {
    sorting: order && (order === 'asc' ? ('ascending' as const) : ('descending' as const)),
    headCell: (
      <button
        type="button"
        className="sort-head"
        onClick={() => onSort(sort, order === 'desc' ? 'asc' : 'desc')}
      >
        {head}
        {order && <Arrow size={13} aria-hidden />}
      </button>
    ),
  }
}

function tickColumn({ selection, rows }: ColumnsOptions): Column<ListedLink> {
  const { picked, set, extend, toggle } = selection
  return {
    id: 'tick',
    head: strings.links.pickAll,
    isHeadHidden: true,
    headCell: (
      <Tick label={strings.links.pickAll} state={pickedOf(picked, rows)} onTick={(isOn) => set(rows, isOn)} />
    ),
    cell: (link) => (
      <Tick
        label={strings.links.pick(link.short_code)}
        state={picked.has(link.id)}
        onTick={(isOn, isRange) => (isOn && isRange ? extend(rows, link) : toggle(link))}
      />
    ),
    skeleton: null,
  }
}

/** Two tags stand side by side if their names have no more letters; a count takes the place of some. */
const TWO_TAGS_CHARS = 12
const COUNT_CHARS = 5

function tagsShown([first = '', second, ...others]: readonly string[]): number {
  const room = TWO_TAGS_CHARS - (others.length > 0 ? COUNT_CHARS : 0)
  return second !== undefined && first.length + second.length <= room ? 2 : 1
}

const LabelsCell = ({ link: { tags, folder }, colors }: { link: ListedLink; colors: TagColors }) => (
  <span className="labels-cell">
    {tags.length > 0 && <Tags names={tags} colors={colors} max={tagsShown(tags)} />}
    {folder !== null && <FolderName name={folder} />}
  </span>
)

const LinkSkeleton = () => (
  <div className="link-cell">
    <Skeleton width={32} height={32} radius={8} />
    <div className="link-texts">
      <div className="link-line">
        <Skeleton width={168} height={15} />
      </div>
      <Skeleton width={280} height={12} />
    </div>
  </div>
)

const ClicksCell = ({
  link: { click_count: clicks, imported_click_count: imported, sparkline },
}: {
  link: ListedLink
}) => (
  <span className="clicks-cell">
    <span className="clicks-shape" title={strings.links.lastDays}>
      <Sparkline values={sparkline} width={88} height={24} isRunning />
    </span>
    <span className="clicks-count" title={fullNumber(clicks)}>
      {shortNumber(clicks)}
    </span>
    {imported > 0 && (
      <Suspense>
        <afterPaint.ImportedCount clicks={imported} />
      </Suspense>
    )}
  </span>
)

type TickProps = {
  label: string
  /** `some`: of several. */
  state: boolean | 'some'
  /** `isRange`: with the Shift key. */
  onTick: (isOn: boolean, isRange: boolean) => void
}

/** The check box of a row, or of all rows. */
function Tick({ label, state, onTick }: TickProps) {
  const input = useRef<HTMLInputElement>(null)
  // There is no attribute for it.
  useEffect(() => {
    input.current!.indeterminate = state === 'some'
  }, [state])
  return (
    <label className="tick">
      <input
        ref={input}
        type="checkbox"
        aria-label={label}
        checked={state === true}
        onChange={({ target, nativeEvent }) =>
          onTick(target.checked, (nativeEvent as unknown as MouseEvent).shiftKey)
        }
      />
    </label>
  )
}
