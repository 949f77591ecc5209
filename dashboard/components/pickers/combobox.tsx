import { Popover } from 'radix-ui'
import { type ComponentProps, type RefObject, use, useRef, useState } from 'react'
import { TextField } from '../fields/field.tsx'
import { FloatingRoot } from './floating-root.ts'
import { OptionList, type OptionSource, useOptionList } from './option-list.tsx'

type ComboboxValue = {
  options: OptionSource['options']
  /** When nothing is found. Without it the list is then not shown: any text will do. */
  none?: string
  value: string
  /** Own text: what is typed counts. Otherwise only what is chosen from the list. */
  allowsOwn: boolean
  onValue: (value: string) => void
  /** Says that own text is something new: `Create folder “new”`. */
  createLabel?: ((text: string) => string) | undefined
}

type ComboboxProps = ComboboxValue &
  Omit<ComponentProps<typeof TextField>, 'value' | 'onText' | 'onChange' | 'role' | 'ref'>

/** A text field with a list of what fits. `value` is an option's value, or the text if own text is allowed. */
export function Combobox({ options, none, value, allowsOwn, onValue, createLabel, ...field }: ComboboxProps) {
  const state = useCombobox({ options, ...(none && { none }), value, allowsOwn, onValue, createLabel })
  const { list, isShown } = state
  const anchor = useRef<HTMLDivElement>(null)
  return (
    <Popover.Root open={isShown} onOpenChange={(next) => (next ? state.open() : state.close())}>
      <Popover.Anchor ref={anchor}>
        <TextField
          {...field}
          {...list.field(isShown)}
          autoComplete="off"
          value={state.text}
          onText={state.type}
          onClick={state.open}
          onBlur={state.close}
          onKeyDown={state.onKeyDown}
        />
      </Popover.Anchor>
      <ComboboxList label={field.label} anchor={anchor}>
        <OptionList list={list} label={field.label} chosen={[value]} />
      </ComboboxList>
    </Popover.Root>
  )
}

function useCombobox({ options, none, value, allowsOwn, onValue, createLabel }: ComboboxValue) {
  const chosenAt = options?.findIndex((option) => option.value === value) ?? -1
  /** What was typed and not chosen yet; undefined: nothing. */
  const [typed, setTyped] = useState<string>()
  const [isOpen, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    setTyped(undefined)
  }
  const pick = (picked: string) => {
    onValue(picked)
    close()
  }
  const list = useOptionList({
    options,
    none: none ?? '',
    // Opened without typing, it shows everything.
    text: typed ?? '',
    // Own text must not be replaced by Enter alone.
    firstActive: allowsOwn ? -1 : Math.max(0, chosenAt),
    onPick: pick,
    ...(createLabel && { createLabel, onCreate: pick }),
  })
  const isShown = isOpen && (list.rows.length > 0 || list.isLoading || none !== undefined)
  return {
    list,
    isShown,
    close,
    text: typed ?? (allowsOwn ? value : (options?.[chosenAt]?.label ?? value)),
    open: () => setOpen(true),
    type: (next: string) => {
      setTyped(next)
      setOpen(true)
      if (allowsOwn) onValue(next)
    },
    onKeyDown: (event: React.KeyboardEvent) => {
      if (isShown) list.onKey(event)
      else if (event.key === 'ArrowDown') {
        event.preventDefault()
        setOpen(true)
      }
    },
  }
}

type ComboboxListProps = {
  label: string
  anchor: RefObject<HTMLElement | null>
  children: React.ReactNode
}

/** The focus stays in the text field. */
export const ComboboxList = ({ label, anchor, children }: ComboboxListProps) => (
  <Popover.Portal container={use(FloatingRoot)}>
    <Popover.Content
      className="floating is-under-field"
      align="start"
      sideOffset={4}
      collisionPadding={8}
      aria-label={label}
      onMouseDown={(event) => event.preventDefault()}
      onOpenAutoFocus={(event) => event.preventDefault()}
      onCloseAutoFocus={(event) => event.preventDefault()}
      onInteractOutside={(event) => {
        if (anchor.current?.contains(event.target as Node)) event.preventDefault()
      }}
    >
      {children}
    </Popover.Content>
  </Popover.Portal>
)
