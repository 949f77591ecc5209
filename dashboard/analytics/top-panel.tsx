import { Link as RouteLink, useSearchParams } from 'wouter'
import type { AnalyticsQuery, LinkGroupName, RangeLinkView } from '../../src/http/endpoints/browser-types.ts'
import { Card, DataCard } from '../components/card.tsx'
import { Failed, hasFailed } from '../components/states.tsx'
import { Tabs } from '../components/tabs.tsx'
import { fullNumber, shortNumber } from '../format.ts'
import { pageOf } from '../links/link-address.ts'
import { groupBars } from './analytics-filters.ts'
import { type useAnalytics, useLinkGroups, useTopLinks } from './analytics-queries.ts'
import { analyticsStrings, overviewStrings as texts } from './analytics-strings.ts'
import { BarList, Bars } from './bar-list.tsx'
import { barsTable } from './panels.tsx'
import { ChangeMark, comparedHint } from './stat-tiles.tsx'

// What the links of a workspace add up to by what they are. A row of a group is a filter, a link's opens its page.

type TopPanelProps = { query: AnalyticsQuery; clicks: ReturnType<typeof useAnalytics> }

const TOP_GROUPS = ['tag', 'folder', 'domain'] as const

/** The links, tags, folders and domains with the most clicks of the range. */
export function TopPanel({ query, clicks }: TopPanelProps) {
  const { data: analytics, meta } = clicks.data ?? {}
  const hint = meta && analytics?.comparison ? comparedHint(meta, analytics.comparison) : ''
  return (
    <Card title={texts.top}>
      <Tabs
        label={texts.top}
        tabs={[
          { id: 'links', label: texts.topTabs.links, content: <TopLinks query={query} hint={hint} /> },
          ...TOP_GROUPS.map((by) => ({
            id: by,
            label: texts.topTabs[by],
            content: <GroupBars by={by} query={query} hint={hint} />,
          })),
        ]}
      />
    </Card>
  )
}

const UTM_GROUPS = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const

type CampaignsProps = { query: AnalyticsQuery; fileName: string; isOneLink: boolean }

/** By UTM parameters. Left out where no click has a source, and for one link where all have the same. */
export function Campaigns({ query, fileName, isOneLink }: CampaignsProps) {
  const { data } = useLinkGroups(query, 'utm_source')
  if (data === undefined || data.every(({ value }) => value === null)) return null
  const isFiltered = UTM_GROUPS.some((name) => query[name] !== undefined)
  if (isOneLink && data.length === 1 && !isFiltered) return null
  return (
    <DataCard
      title={analyticsStrings.campaigns}
      fileName={`${fileName}-campaigns`}
      table={barsTable(analyticsStrings.linkGroups.utm_source.label, groupBars('utm_source', data))}
      hasTableView={false}
    >
      <Tabs
        label={analyticsStrings.campaigns}
        tabs={UTM_GROUPS.map((by) => ({
          id: by,
          label: analyticsStrings.linkGroups[by].label,
          content: <GroupBars by={by} query={query} hint="" />,
        }))}
      />
    </DataCard>
  )
}

type GroupBarsProps = { by: LinkGroupName; query: AnalyticsQuery; hint: string }

function GroupBars({ by, query, hint }: GroupBarsProps) {
  const groups = useLinkGroups(query, by)
  if (hasFailed(groups)) return <Failed heading="h3" query={groups} what={analyticsStrings.what} />
  const changes = new Map(groups.data?.map(({ value, comparison }) => [value ?? '', comparison]))
  const bars = groups.data && groupBars(by, groups.data)
  const withChange = bars?.map((bar) => {
    const compared = changes.get(bar.value)
    return compared && hint !== '' ? { ...bar, change: <ChangeMark compared={compared} hint={hint} /> } : bar
  })
  return <Bars label={analyticsStrings.linkGroups[by].label} bars={withChange} filter={by} />
}

function TopLinks({ query, hint }: { query: AnalyticsQuery; hint: string }) {
  const top = useTopLinks(query)
  const [parameters] = useSearchParams()
  if (hasFailed(top)) return <Failed heading="h3" query={top} what={analyticsStrings.what} />
  const links = top.data
  if (links === undefined) return <BarList label={texts.top} bars={undefined} />
  if (links.length === 0) return <p className="hint">{texts.topEmpty}</p>
  const search = parameters.size === 0 ? '' : `?${parameters}`
  return (
    <ol className="bars top-links" aria-label={texts.top}>
      {links.map((link) => (
        <TopLink key={link.id} link={link} most={links[0]!.clicks} hint={hint} search={search} />
      ))}
    </ol>
  )
}

/** `search`: the page's query string, so that a link's page opens with the same range and filters. */
type TopLinkProps = { link: RangeLinkView; most: number; hint: string; search: string }

const TopLink = ({ link, most, hint, search }: TopLinkProps) => (
  <li>
    <span className="bar" style={{ width: `${(link.clicks / most) * 100}%` }} />
    <span className="cut" title={link.title || link.short_code}>
      <RouteLink href={pageOf(link) + search}>{link.short_code}</RouteLink>{' '}
      <span className="soft">{link.title}</span>
    </span>
    <span className="count" title={fullNumber(link.clicks)}>
      {shortNumber(link.clicks)}
    </span>
    <span className="share">{link.comparison && <ChangeMark compared={link.comparison} hint={hint} />}</span>
  </li>
)
