import { useEffect, useRef } from 'react'
import type { OwnLink } from '../../src/http/endpoints/browser-types.ts'
import { InitialBadge } from '../components/badge.tsx'
import { Marked } from '../components/pickers/marked.tsx'
import { fullNumber, hostOf, shortNumber, withoutScheme, shortUrlText } from '../format.ts'
import { LinkBadges } from '../links/link-name.tsx'
import { paletteStrings as texts } from './palette-strings.ts'
import type { PaletteGroup, PaletteRow } from './palette-rows.ts'

type PaletteListProps = {
  id: string
  groups: readonly PaletteGroup[]
  active: PaletteRow | undefined
  /** Its words are marked. */
  search: string
  onReach: (row: PaletteRow) => void
  onRun: (row: PaletteRow) => void
}

export function PaletteList({ id, groups, active, search, onReach, onRun }: PaletteListProps) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    element.current?.querySelector('.is-active')?.scrollIntoView({ block: 'nearest' })
  }, [active?.id])
  return (
    <div ref={element} id={id} className="palette-list" role="listbox" aria-label={texts.results}>
      {groups.map(({ name, rows }) => (
        <div key={name} role="group" aria-label={texts.groups[name]}>
          <div className="palette-group" aria-hidden>
            {texts.groups[name]}
          </div>
          {rows.map((row) => (
            <div
              key={row.id}
              id={`${id} ${row.id}`.replaceAll(' ', '-')}
              role="option"
              className={`palette-row${row === active ? ' is-active' : ''}${row.isDanger ? ' is-danger' : ''}`}
              aria-selected={row === active}
              onPointerMove={row === active ? undefined : () => onReach(row)}
              // The focus stays in the text field.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onRun(row)}
            >
              {row.link ? (
                <LinkContent link={row.link} search={search} />
              ) : (
                <Content row={row} search={name === 'places' ? search : ''} />
              )}
              {row === active && !row.keys && <kbd aria-hidden>↵</kbd>}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

const Content = ({ row, search }: { row: PaletteRow; search: string }) => {
  const { icon: Icon, label, detail, keys } = row
  return (
    <>
      {Icon && <Icon size={18} aria-hidden />}
      <span className="cut">
        <Marked text={label} search={search} />
      </span>
      {detail && <span className="palette-detail">{detail}</span>}
      {keys && <kbd aria-hidden>{keys}</kbd>}
    </>
  )
}

const LinkContent = ({ link, search }: { link: OwnLink; search: string }) => (
  <>
    <InitialBadge name={hostOf(link.original_url)} />
    <span className="palette-link">
      <strong className="cut">
        <Marked text={shortUrlText(link.short_url)} search={search} />
      </strong>
      <span className="cut">
        <Marked text={aboutOf(link, search)} search={search} />
      </span>
    </span>
    <LinkBadges link={link} />
    <span className="palette-detail" title={fullNumber(link.click_count)}>
      {texts.clicks(shortNumber(link.click_count))}
    </span>
  </>
)

/** The title, unless only the destination has what was searched for. */
function aboutOf({ title, original_url: url }: OwnLink, search: string): string {
  const destination = withoutScheme(url)
  const words = search.toLowerCase().split(/\s+/)
  const isIn = (text: string) => words.some((word) => text.toLowerCase().includes(word))
  return title !== '' && (isIn(title) || !isIn(destination)) ? title : destination
}
