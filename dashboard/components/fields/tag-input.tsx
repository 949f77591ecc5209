import { CircleAlert, X } from 'lucide-react'
import { Popover } from 'radix-ui'
import {
  type ClipboardEvent,
  type ComponentProps,
  type KeyboardEvent,
  type RefObject,
  useRef,
  useState,
} from 'react'
import { OptionList, optionStrings, useOptionList } from '../pickers/option-list.tsx'
import { ComboboxList } from '../pickers/combobox.tsx'
import { Field, type FieldParts } from './field.tsx'
import type { Option } from '../pickers/option-rows.ts'

type TagInputProps = TagInputValue &
  FieldParts & {
    /** Of the text that is typed. */
    ref?: RefObject<HTMLInputElement | null>
    /** What is wrong with a value, once it is a tag. */
    errorOf?: ((value: string) => string | undefined) | undefined
  } & Pick<ComponentProps<'input'>, 'disabled' | 'placeholder' | 'autoCapitalize' | 'spellCheck'>

/** Tags inside a field: Enter or a comma adds, Backspace takes the last one back into the text, a pasted list becomes several. */
export function TagInput(props: TagInputProps) {
  const { values: _, onValues: _1, separator: _2, createLabel: _3, ...shown } = props
  const { options, errorOf, label, hint, errors, apiName = [], aside, ...input } = shown
  const state = useTagInput(props)
  const { chips, isShown } = state
  const ownText = useRef<HTMLInputElement>(null)
  const text = props.ref ?? ownText
  const anchor = useRef<HTMLDivElement>(null)
  const remove = (value: string) => {
    state.remove(value)
    // The button goes, and would take the focus with it.
    text.current?.focus()
  }
  return (
    <Field
      label={label}
      hint={hint}
      apiName={apiName}
      errors={errors ?? chips.flatMap((value) => errorOf?.(value) ?? [])}
      aside={aside}
    >
      {(described) => (
        <Popover.Root open={isShown} onOpenChange={state.setOpen}>
          <Popover.Anchor ref={anchor} asChild>
            <div
              className={`input tag-input${input.disabled ? ' is-disabled' : ''}`}
              aria-invalid={described['aria-invalid'] || undefined}
              onClick={() => text.current?.focus()}
            >
              <Chips
                chips={chips}
                options={options}
                errorOf={errorOf}
                isDisabled={input.disabled ?? false}
                onRemove={remove}
              />
              <input
                autoComplete="off"
                {...input}
                {...described}
                {...(options && state.list.field(isShown))}
                ref={text}
                value={state.text}
                onChange={({ target }) => state.type(target.value)}
                onKeyDown={state.onKey}
                onClick={state.open}
                onPaste={state.onPaste}
                onBlur={state.finish}
              />
            </div>
          </Popover.Anchor>
          <ComboboxList label={label} anchor={anchor}>
            <OptionList list={state.list} label={label} />
          </ComboboxList>
        </Popover.Root>
      )}
    </Field>
  )
}

type ChipsProps = Pick<TagInputProps, 'errorOf'> & {
  options: TagInputProps['options'] | undefined
  chips: readonly string[]
  isDisabled: boolean
  onRemove: (value: string) => void
}

const Chips = ({ chips, options, errorOf, isDisabled, onRemove }: ChipsProps) =>
  chips.length > 0 && (
    <ul>
      {chips.map((value) => (
        <Chip
          key={value}
          text={value}
          color={options?.find((option) => option.value === value)?.color}
          isWrong={errorOf?.(value) !== undefined}
          isDisabled={isDisabled}
          onRemove={() => onRemove(value)}
        />
      ))}
    </ul>
  )

type ChipProps = {
  text: string
  color: string | undefined
  isWrong: boolean
  isDisabled: boolean
  onRemove: () => void
}

const Chip = ({ text, color, isWrong, isDisabled, onRemove }: ChipProps) => (
  <li
    className={`tag-chip${isWrong ? ' is-wrong' : ''}`}
    style={color === undefined || isWrong ? undefined : ({ '--chip': color } as React.CSSProperties)}
  >
    {isWrong && <CircleAlert size={13} aria-label={optionStrings.wrong} />}
    {color !== undefined && !isWrong && (
      <span className="option-dot" style={{ background: color }} aria-hidden />
    )}
    <span className="cut">{text}</span>
    <button type="button" aria-label={optionStrings.remove(text)} disabled={isDisabled} onClick={onRemove}>
      <X size={13} aria-hidden />
    </button>
  </li>
)

const COMMA_OR_LINE = /[,\n]/

type TagInputValue = {
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
function useTagInput({ values, onValues, ...ways }: TagInputValue) {
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
    ...(createLabel && { createLabel, onCreate: add }),
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
