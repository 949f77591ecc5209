import './palette.css'
import { OpenedDialogs, usePaletteDialogs } from './palette-dialogs.tsx'
import { PaletteFrame, type PaletteStarted } from './palette-start.tsx'
import { Search, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from 'react'
import { InitialBadge } from '../components/badge.tsx'
import { hostOf, shortUrlText } from '../format.ts'
import { paletteStrings as texts } from './palette-strings.ts'
import { strings } from '../strings.ts'
import { PaletteList } from './palette-list.tsx'
import { type PaletteTools, usePaletteContent } from './use-palette-content.ts'
import { IS_APPLE, isCommand } from '../shell/shortcuts.ts'
import type { OwnLink } from '../../src/http/endpoints/browser-types.ts'
import { useSignedIn } from '../use-session.ts'
import { noteUse } from './palette-memory.ts'
import type { PaletteRow } from './palette-rows.ts'

type PaletteProps = { isOpen: boolean; started: PaletteStarted; onClose: () => void; onHelp: () => void }

/** From any page to any link, page or action in one line. It stays for what its actions open. */
export default function Palette({ isOpen, started, onClose, onHelp }: PaletteProps) {
  const dialogs = usePaletteDialogs()
  return (
    <>
      {isOpen && <PaletteDialog {...{ dialogs, started, onClose, onHelp }} />}
      <OpenedDialogs dialogs={dialogs} />
    </>
  )
}

type PaletteDialogProps = PaletteTools & { started: PaletteStarted; onClose: () => void }

/** The focus stays in the text field. */
function PaletteDialog(props: PaletteDialogProps) {
  const palette = usePalette(props)
  const id = useId()
  const { groups, note, link, active, text } = palette
  const count = groups.reduce((sum, { rows }) => sum + rows.length, 0)
  return (
    <PaletteFrame
      lead={
        link ? (
          <LinkChip
            url={shortUrlText(link.short_url)}
            host={hostOf(link.original_url)}
            onBack={palette.back}
          />
        ) : (
          <Search size={20} aria-hidden />
        )
      }
      label={link ? texts.wanted : strings.nav.searchField}
      aria-expanded
      aria-controls={id}
      aria-activedescendant={active && `${id} ${active.id}`.replaceAll(' ', '-')}
      aria-autocomplete="list"
      value={text}
      onText={palette.setText}
      onKeyDown={palette.onKeyDown}
      onClose={props.onClose}
    >
      <p className="palette-note" role="status">
        {note || <span className="only-spoken">{texts.found(count)}</span>}
      </p>
      <PaletteList
        id={id}
        groups={groups}
        active={active}
        search={link ? '' : text}
        onReach={palette.reach}
        onRun={palette.run}
      />
      <PaletteFoot isLink={link !== undefined} />
    </PaletteFrame>
  )
}

type LinkChipProps = { url: string; host: string; onBack: () => void }

const LinkChip = ({ url, host, onBack }: LinkChipProps) => (
  <>
    <InitialBadge name={host} />
    <span className="palette-chip">
      <span className="cut">{url}</span>
      <button type="button" aria-label={texts.back} onClick={onBack}>
        <X size={14} aria-hidden />
      </button>
    </span>
  </>
)

const { foot: footTexts } = texts
const MOVE: Hint = [['↑', '↓'], footTexts.move]
const OF_SEARCH: Hint[] = [
  MOVE,
  [['↵'], footTexts.open],
  [[IS_APPLE ? '⌘↵' : 'Ctrl ↵'], footTexts.copy],
  [['→'], footTexts.actions],
]
const OF_LINK: Hint[] = [MOVE, [['↵'], footTexts.run], [['⌫'], footTexts.back]]

type Hint = [keys: string[], what: string]

/** Which keys do what. */
const PaletteFoot = ({ isLink }: { isLink: boolean }) => (
  <div className="palette-foot">
    {(isLink ? OF_LINK : OF_SEARCH).map(([keys, what]) => (
      <span key={what}>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
        {what}
      </span>
    ))}
    {!isLink && (
      <span className="palette-only">
        {footTexts.type}
        <kbd>&gt;</kbd>
        {footTexts.only}
      </span>
    )}
  </div>
)

type PaletteOptions = PaletteTools & { started: PaletteStarted; onClose: () => void }

/** What the rows are for. */
const wantedOf = (link: OwnLink | undefined, text: string) => `${link?.id ?? ''} ${text}`

/** What was typed, the row that the arrow keys have reached, and what the keys do. */
function usePalette({ started, onClose, ...tools }: PaletteOptions) {
  const { user } = useSignedIn()
  const [text, setText] = useState(started.text)
  /** The link whose actions are shown, and what was typed before. */
  const [opened, setOpened] = useState<{ link: OwnLink; before: string }>()
  const [reached, setReached] = useState<{ of: string; id: string }>()
  /** Enter was pressed before the links were there. */
  const [wanted, setWanted] = useState(
    started.wanted && { of: wantedOf(undefined, started.text), ...started.wanted },
  )
  const view = usePaletteContent(text, opened?.link, tools)
  const rows = view.groups.flatMap((group) => group.rows)
  const of = wantedOf(opened?.link, text)
  const index = reached?.of === of ? rows.findIndex(({ id }) => id === reached.id) : 0
  const active = Math.max(0, index)
  const row = rows[active]
  const reach = (to: PaletteRow | undefined) => to && setReached({ of, id: to.id })
  const run = (chosen: PaletteRow) => {
    if (chosen.link === undefined) noteUse(user.id, chosen.id)
    onClose()
    chosen.run()
  }
  const copy = (link: OwnLink) => {
    tools.dialogs.actions.copy(link)
    onClose()
  }
  const choose = (isCopy: boolean) => {
    const link = row?.link ?? opened?.link
    if (isCopy && link) copy(link)
    else if (row) run(row)
  }
  const isWanted = wanted?.of === of && !view.isWaiting
  const chooseWanted = useEffectEvent(() => choose(wanted!.isCopy))
  useEffect(() => {
    if (isWanted) chooseWanted()
  }, [isWanted])
  const back = () => {
    setText(opened!.before)
    setOpened(undefined)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    const { key, currentTarget: input } = event
    const isAtEnd = input.selectionStart === text.length && input.selectionEnd === text.length
    if (key === 'ArrowDown') reach(rows[active + 1] ?? rows[0])
    else if (key === 'ArrowUp') reach(rows[active - 1] ?? rows.at(-1))
    else if (key === 'Enter' && view.isWaiting && reached?.of !== of)
      setWanted({ of, isCopy: isCommand(event) })
    else if (key === 'Enter') choose(isCommand(event))
    else if (key === 'ArrowRight' && row?.link && isAtEnd) openActions(row.link)
    else if (key === 'Backspace' && opened && text === '') back()
    else if (key.toLowerCase() === 'k' && isCommand(event)) onClose()
    else return
    event.preventDefault()
  }
  const openActions = (link: OwnLink) => {
    setOpened({ link, before: text })
    setText('')
  }
  return { ...view, text, setText, link: opened?.link, active: row, reach, run, back, onKeyDown }
}
