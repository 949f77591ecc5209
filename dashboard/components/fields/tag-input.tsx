import { CircleAlert, X } from 'lucide-react'
import { Popover } from 'radix-ui'
import { type ComponentProps, type RefObject, useRef } from 'react'
import { optionStrings } from '../pickers/option-strings.ts'
import { ComboboxList } from '../pickers/combobox.tsx'
import { Field, type FieldParts } from './field.tsx'
import { OptionList } from '../pickers/option-list.tsx'
import { type TagInputValue, useTagInput } from './use-tag-input.ts'

type TagInputProps = TagInputValue &
  FieldParts & {
    /** Of the text that is typed. */
    ref?: RefObject<HTMLInputElement | null>
    /** What is wrong with a value, once it is a tag. */
    errorOf?: ((value: string) => string | undefined) | undefined
  } & Pick<ComponentProps<'input'>, 'disabled' | 'placeholder' | 'autoCapitalize' | 'spellCheck'>

/** Tags inside a field: Enter or a comma adds, Backspace takes the last one back into the text, a pasted list becomes several. */
export function TagInput(props: TagInputProps) {
  const { values: _, onValues: _1, separator: _2, createLabel, ...shown } = props
  const { options, errorOf, label, hint, errors, aside, ...input } = shown
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
                {...(options && comboboxOf(state))}
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
            <TagOptions list={state.list} label={label} createLabel={createLabel} />
          </ComboboxList>
        </Popover.Root>
      )}
    </Field>
  )
}

type TagOptionsProps = {
  list: ReturnType<typeof useTagInput>['list']
  label: string
  createLabel: TagInputValue['createLabel'] | undefined
}

const TagOptions = ({ createLabel, ...parts }: TagOptionsProps) => (
  <OptionList {...parts} chosen={[]} isMulti={false} none="" {...(createLabel && { createLabel })} />
)

const comboboxOf = ({ list, isShown }: ReturnType<typeof useTagInput>) => ({
  role: 'combobox',
  'aria-expanded': isShown,
  'aria-controls': isShown ? list.id : undefined,
  'aria-activedescendant': isShown ? list.activeId : undefined,
  'aria-autocomplete': 'list' as const,
})

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
