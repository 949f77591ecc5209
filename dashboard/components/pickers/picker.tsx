import { Search } from 'lucide-react'
import { Popover } from 'radix-ui'
import { type KeyboardEvent, type ReactElement, type ReactNode, use, useState } from 'react'
import { OptionList, type OptionSource, optionStrings, useOptionList } from './option-list.tsx'
import { FloatingRoot, freeEdges } from './floating-root.ts'
import { VERBATIM } from '../fields/field.tsx'

type FloatingProps = {
  /** What it is about: "Tags". */
  label: string
  /** A button, which shows what is chosen. */
  trigger: ReactElement
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  children: ReactNode
}

/** Floats under a button until Escape, or a click outside. Not modal, as menus are not. */
export const Floating = ({ label, trigger, isOpen, onOpen, children }: FloatingProps) => (
  <Popover.Root open={isOpen} onOpenChange={onOpen}>
    <Popover.Trigger asChild>{trigger}</Popover.Trigger>
    <Popover.Portal container={use(FloatingRoot)}>
      <FloatingContent label={label}>{children}</FloatingContent>
    </Popover.Portal>
  </Popover.Root>
)

/** Rendered while it is open. */
const FloatingContent = ({ label, children }: Pick<FloatingProps, 'label' | 'children'>) => (
  <Popover.Content
    className="floating"
    align="start"
    sideOffset={4}
    collisionPadding={freeEdges(use(FloatingRoot))}
    aria-label={label}
  >
    {children}
  </Popover.Content>
)

type PickerProps = OptionSource & {
  label: string
  trigger: ReactElement
  chosen: readonly string[]
  onChoose: (chosen: string[]) => void
  /** Several may be chosen, and it stays open. Otherwise a choice closes it. */
  isMulti?: boolean
  /** In the find field, where it does more than find. */
  findText?: string
  /** Ctrl+Enter or ⌘Enter, where what is chosen counts only then. */
  onApply?: (() => void) | undefined
  /** Under the list: an action, a hint. */
  foot?: ReactNode
  /** For who opens it by other means than the trigger. */
  isOpen?: boolean
  onOpen?: (isOpen: boolean) => void
}

/** A list that floats under a button, with a find field. */
export function Picker({ label, trigger, isOpen: isOpenOutside, onOpen, ...content }: PickerProps) {
  const [isOpenHere, setOpenHere] = useState(false)
  const isOpen = isOpenOutside ?? isOpenHere
  const open = (next: boolean) => {
    setOpenHere(next)
    onOpen?.(next)
  }
  return (
    <Floating label={label} trigger={trigger} isOpen={isOpen} onOpen={open}>
      <PickerContent label={label} {...content} onDone={() => open(false)} />
    </Floating>
  )
}

type PickerContentProps = Omit<PickerProps, 'trigger' | 'isOpen' | 'onOpen'> & { onDone: () => void }

function PickerContent({
  label,
  chosen,
  onChoose,
  isMulti = false,
  findText = optionStrings.findShort,
  foot,
  onApply,
  onDone,
  ...source
}: PickerContentProps) {
  const [text, setText] = useState('')
  const goOn = () => (isMulti ? setText('') : onDone())
  const choose = (values: string[]) => {
    onChoose(values)
    goOn()
  }
  const list = useOptionList({
    ...source,
    text,
    firstActive: Math.max(0, source.options?.findIndex(({ value }) => value === chosen[0]) ?? 0),
    onPick: (value) => {
      if (!isMulti) choose([value])
      else choose(chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value])
    },
    ...(source.onCreate && {
      onCreate: (created) => {
        source.onCreate!(created)
        goOn()
      },
    }),
  })
  return (
    <>
      <span className="input-with picker-find">
        <Search size={16} aria-hidden />
        <input
          className="input"
          {...list.field(true)}
          aria-label={optionStrings.find(label)}
          placeholder={findText}
          {...VERBATIM}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            if (!(isMulti && onMultiKey(event, { list, text, onApply }))) list.onKey(event)
          }}
        />
      </span>
      <OptionList list={list} label={label} chosen={chosen} isMulti={isMulti} />
      {foot && <div className="picker-foot">{foot}</div>}
    </>
  )
}

type MultiKey = { list: ReturnType<typeof useOptionList>; text: string; onApply?: (() => void) | undefined }

/** True if it was one of the keys for choosing several. */
function onMultiKey(event: KeyboardEvent, { list, text, onApply }: MultiKey): boolean {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onApply?.()
  // Names may have spaces in them, but do not begin with one.
  else if (event.key === ' ' && text === '') list.pick(list.rows[list.active])
  else return false
  event.preventDefault()
  return true
}
