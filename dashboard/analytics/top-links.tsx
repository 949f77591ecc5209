import { Link as RouteLink } from 'wouter'
import type { FiguresMeta, RangeLinkView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { fullNumber, shortNumber } from '../format.ts'
import { BarList } from '../parts/bar-list.tsx'
import { Card } from '../parts/card.tsx'
import { ChangeMark } from '../parts/change-mark.tsx'
import { laterWords } from '../later-words.ts'
import { comparedHint } from './figure-tiles.tsx'

type TopLinksProps = {
  /** Undefined while they are loading. */
  links: RangeLinkView[] | undefined
  /** Of the same range. */
  figures: { meta: FiguresMeta; comparedPoints: number } | undefined
  /** Of the page, for the pages of the links. */
  search: string
}

/** The most clicked links of the range; each opens its page with the same range. */
export function TopLinks({ links, figures, search }: TopLinksProps) {
  const { top: title, topEmpty } = laterWords.overview
  const hint = figures ? comparedHint(figures.meta, figures.comparedPoints) : ''
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
      <RouteLink href={`/links/${link.short_code}${search}`}>{link.short_code}</RouteLink>{' '}
      <span className="soft">{link.title}</span>
    </span>
    <span className="count" title={fullNumber(link.clicks)}>
      {shortNumber(link.clicks)}
    </span>
    <span className="share">{link.comparison && <ChangeMark compared={link.comparison} hint={hint} />}</span>
  </li>
)
