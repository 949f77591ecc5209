import { type FocusEvent, type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react'
import type { CountryClicks } from '../../../src/http/endpoints/browser-types.ts'
import { fullNumber, percent } from '../../format.ts'
import { chartStrings } from './chart-strings.ts'
import outlines from './world-map.json'
import './data.css'

type HoveredCountry = { country: CountryClicks; left: number; top: number }

/** The lightest shade that is distinguishable from a country without clicks, in percent. */
const SHARE_MIN = 24

type WorldMapProps = { countries: CountryClicks[]; onCountry: (code: string) => void }

/** Arrow keys move the focus among countries with clicks, most clicks first; Enter or a click chooses one. */
export default function WorldMap({ countries, onCountry }: WorldMapProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState<HoveredCountry>()
  const clicksByCode = useMemo(() => byCode(countries), [countries])
  const order = [...clicksByCode.values()]
  const [current, setCurrent] = useState(0)
  const show = (code: string, element: Element) => {
    const country = clicksByCode.get(code)
    if (country === undefined) return setShown(undefined)
    const box = element.getBoundingClientRect()
    const outer = frame.current!.getBoundingClientRect()
    setShown({
      country,
      left: box.left + box.width / 2 - outer.left,
      top: box.top + box.height / 2 - outer.top,
    })
  }
  const choose = (target: EventTarget) => {
    const code = (target as SVGElement).dataset['code'] ?? ''
    if (clicksByCode.has(code)) onCountry(code)
  }
  const move = (event: KeyboardEvent<SVGElement>) => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      return choose(event.target)
    }
    const by = STEPS[event.key]
    if (by === undefined || order.length === 0) return
    event.preventDefault()
    const next = (current + by + order.length) % order.length
    setCurrent(next)
    frame.current?.querySelector<SVGPathElement>(`[data-code="${order[next]!.country_code}"]`)?.focus()
  }
  const codeOf = (event: FocusEvent | PointerEvent) => (event.target as SVGElement).dataset['code'] ?? ''
  return (
    <div className="map" ref={frame}>
      <svg
        viewBox={`0 0 ${outlines.width} ${outlines.height}`}
        role="group"
        aria-label={chartStrings.map}
        onPointerOver={(event) => show(codeOf(event), event.target as Element)}
        onPointerLeave={() => setShown(undefined)}
        onFocus={(event) => show(codeOf(event), event.target as Element)}
        onBlur={() => setShown(undefined)}
        onClick={(event) => choose(event.target)}
        onKeyDown={move}
      >
        {outlines.countries.map(([code, path], at) => {
          const country = clicksByCode.get(code!)
          if (country === undefined) return <path key={at} d={path} aria-hidden />
          const share = shareOf(country, order[0]!)
          const isCurrent = order[current]?.country_code === code
          return (
            <ClickedCountry key={at} country={country} path={path!} share={share} isCurrent={isCurrent} />
          )
        })}
      </svg>
      {shown && <MapTip {...shown} />}
    </div>
  )
}

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

type ClickedCountryProps = { country: CountryClicks; path: string; share: number; isCurrent: boolean }

const ClickedCountry = ({ country, path, share, isCurrent }: ClickedCountryProps) => (
  <path
    d={path}
    data-code={country.country_code}
    className="has-clicks"
    style={{ '--share': `${share}%` } as React.CSSProperties}
    role="button"
    tabIndex={isCurrent ? 0 : -1}
    aria-label={chartStrings.mapPlace(
      country.country,
      fullNumber(country.clicks),
      percent(country.percentage),
    )}
  />
)

const MapTip = ({ country, left, top }: HoveredCountry) => (
  <div
    className="chart-tip"
    style={{ translate: `calc(${left}px - 50%) calc(${top}px - 100% - 10px)` }}
    aria-hidden
  >
    <strong>{country.country}</strong>
    <dl>
      <dt>{chartStrings.measures.clicks}</dt>
      <dd>{fullNumber(country.clicks)}</dd>
      <dt>{chartStrings.share}</dt>
      <dd>{percent(country.percentage)}</dd>
    </dl>
  </div>
)

/** Countries that are on the map, in the order of the list. */
function byCode(countries: CountryClicks[]): Map<string, CountryClicks> {
  const drawn = new Set(outlines.countries.map(([code]) => code))
  const byCountry = new Map<string, CountryClicks>()
  for (const country of countries) {
    if (country.country_code !== null && drawn.has(country.country_code))
      byCountry.set(country.country_code, country)
  }
  return byCountry
}

/** By square root: linearly, one country with most of the clicks would leave all others pale. */
const shareOf = (country: CountryClicks, most: CountryClicks) =>
  Math.round(SHARE_MIN + (100 - SHARE_MIN) * Math.sqrt(country.clicks / Math.max(1, most.clicks)))
