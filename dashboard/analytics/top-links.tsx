import { Link as RouteLink } from 'wouter'
import type { AnalyticsMeta, RangeLinkView } from '../../src/http/endpoints/browser-types.ts'
import { fullNumber, shortNumber } from '../format.ts'
import { BarList } from './bar-list.tsx'
import { Card } from '../components/card.tsx'
import { ChangeMark } from './change-mark.tsx'
import { pageOf } from '../link-address.ts'
import { overviewStrings } from './analytics-strings.ts'
import { comparedHint } from './stat-tiles.tsx'
import '../components/charts/data.css'

type TopLinksProps = {
  /** Undefined while loading. */
  links: RangeLinkView[] | undefined
  analytics: { meta: AnalyticsMeta; comparedPoints: number } | undefined
  /** The page's query string, so that a link's page opens with the same range. */
  search: string
}

export function TopLinks({ links, analytics, search }: TopLinksProps) {
  const { top: title, topEmpty } = overviewStrings
  const hint = analytics ? comparedHint(analytics.meta, analytics.comparedPoints) : ''
  if (links === undefined || links.length === 0) {
    return (
      <Card title={title}>
        {links === undefined ? (
          <BarList label={title} bars={undefined} />
        ) : (
          <p className="hint">{topEmpty}</p>
        )}
      </Card>
    )
  }
  return (
    <Card title={title}>
      <ol className="bars top-links" aria-label={title}>
        {links.map((link) => (
          <TopLink key={link.id} link={link} most={links[0]!.clicks} hint={hint} search={search} />
        ))}
      </ol>
    </Card>
  )
}

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
