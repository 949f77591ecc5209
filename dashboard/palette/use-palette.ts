import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'
import type { OwnLink } from '../../src/http/endpoints/browser-types.ts'
import { isCommand } from '../shortcuts.ts'
import { useSignedIn } from '../use-session.ts'
import { noteUse } from './palette-memory.ts'
import type { PaletteRow } from './palette-rows.ts'
import type { PaletteStarted } from './palette-start.tsx'
import { type PaletteTools, usePaletteContent } from './use-palette-content.ts'

type PaletteOptions = PaletteTools & { started: PaletteStarted; onClose: () => void }

/** What the rows are for. */
const wantedOf = (link: OwnLink | undefined, text: string) => `${link?.id ?? ''} ${text}`

/** What was typed, the row that the arrow keys have reached, and what the keys do. */
export function usePalette({ started, onClose, ...tools }: PaletteOptions) {
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
  const found = reached?.of === of ? rows.findIndex(({ id }) => id === reached.id) : 0
  const active = Math.max(0, found)
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
