import { type ClipboardEvent, type KeyboardEvent, useState } from 'react'
import { useOptionList } from '../pickers/option-list.tsx'
import type { Option } from '../pickers/option-rows.ts'

const COMMA_OR_LINE = /[,\n]/

export type TagInputValue = {
  /** What is still being typed is the last of them, so it is not lost when the form is sent. */
  values: readonly string[]
  onValues: (values: string[]) => void
  /** What ends a value, besides Enter. */
  separator?: RegExp
  /** What may be chosen while typing. Own text is always taken. */
  options?: readonly Option[]
  /** Says that own text is something new: `Create tag “new”`. What begins with the text is then chosen first. */
  createLabel?: (text: string) => string
}

/** The tags, and the text that is still being typed. */
export function useTagInput({ values, onValues, ...ways }: TagInputValue) {
  const { separator = COMMA_OR_LINE, options = [], createLabel } = ways
  const [isTyping, setTyping] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const chips = isTyping ? values.slice(0, -1) : values
  const text = isTyping ? (values.at(-1) ?? '') : ''
  /** The last part of the text is still being typed, unless it is empty. */
  const change = (next: string[], typed: string) => {
    setTyping(typed !== '')
    onValues([...new Set([...chips, ...asOffered(next, options)]), ...(typed === '' ? [] : [typed])])
  }
  const add = (value: string) => {
    setOpen(false)
    change([value], '')
  }
  const list = useOptionList({
    options: options.filter(({ value }) => !chips.includes(value)),
    none: '',
    text,
    firstActive: createLabel && text !== '' ? 0 : -1,
    onPick: add,
    ...(createLabel && { onCreate: add }),
  })
  const isShown = isOpen && list.rows.length > 0
  return {
    chips,
    text,
    list,
    isShown,
    setOpen,
    finish: () => (text === '' ? setOpen(false) : add(text)),
    open: () => setOpen(true),
    remove: (value: string) => onValues(values.filter((each, at) => each !== value || at >= chips.length)),
    type: (next: string) => {
      setOpen(true)
      const parts = next.split(separator)
      change(parts.slice(0, -1), parts.at(-1)!.trimStart())
    },
    onKey: (event: KeyboardEvent) => {
      if (isShown && list.onKey(event)) return
      const isEnter = event.key === 'Enter' && !event.metaKey && !event.ctrlKey
      if (event.nativeEvent.isComposing) return
      if (isEnter && text !== '') {
        event.preventDefault()
        add(text)
      } else if (event.key === 'Backspace' && text === '' && chips.length > 0) {
        event.preventDefault()
        setTyping(true)
      } else if (event.key === 'ArrowDown') setOpen(true)
    },
    onPaste: (event: ClipboardEvent) => {
      const pasted = event.clipboardData.getData('text')
      if (!separator.test(pasted)) return
      event.preventDefault()
      change(`${text}${pasted}`.split(separator), '')
    },
  }
}

/** Who types "newsletter" means the "Newsletter" that is there. */
const asOffered = (texts: readonly string[], options: readonly Option[]): string[] =>
  texts
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => options.find(({ value }) => value.toLowerCase() === each.toLowerCase())?.value ?? each)
