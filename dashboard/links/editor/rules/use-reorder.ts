import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { ruleStrings } from './rule-strings.ts'
import type { RuleForm } from './rule-form.ts'

const { order } = ruleStrings

/** `before`: the order when it was lifted, which Escape restores. */
type Lift = { key: number; before: RuleForm[]; isPointer: boolean }

/** Rules change places by their grips: dragged by a pointer, or lifted by Space and moved by the arrow keys. */
export function useReorder(rules: RuleForm[], onReorder: (rules: RuleForm[]) => void) {
  const { lift, message, at, start, moveTo, drop, cancel } = useLift(rules, onReorder)
  const list = useRef<HTMLOListElement>(null)
  const gripParts = (rule: RuleForm) => ({
    'aria-pressed': lift?.key === rule.key,
    onKeyDown: (event: KeyboardEvent) => {
      const keys: Record<string, () => void> = lift
        ? { ArrowUp: () => moveTo(at - 1), ArrowDown: () => moveTo(at + 1), ' ': drop, Escape: cancel }
        : { ' ': () => start(rule, false) }
      const action = keys[event.key]
      if (action === undefined) return
      event.preventDefault()
      // Escape would close the panel.
      event.stopPropagation()
      action()
    },
    onPointerDown: (event: PointerEvent<HTMLButtonElement>) => {
      if (event.button !== 0) return
      // Of the list, because the grip itself moves in the document.
      list.current!.setPointerCapture(event.pointerId)
      event.currentTarget.focus()
      start(rule, true)
    },
    onBlur: () => {
      if (lift && !lift.isPointer) drop()
    },
  })
  const ifDragged = (action: () => void) => () => {
    if (lift?.isPointer) action()
  }
  return {
    message,
    liftedKey: lift?.key,
    gripParts,
    listParts: {
      ref: list,
      onPointerMove: ({ clientY }: PointerEvent) =>
        ifDragged(() => moveTo(draggedTo(middlesOf(list.current!), at, clientY)))(),
      onPointerUp: ifDragged(drop),
      onPointerCancel: ifDragged(cancel),
    },
  }
}

/** At most one rule is lifted. What happens to it is announced. */
function useLift(rules: RuleForm[], onReorder: (rules: RuleForm[]) => void) {
  const [lift, setLift] = useState<Lift | null>(null)
  const [message, setMessage] = useState('')
  const at = rules.findIndex(({ key }) => key === lift?.key)
  return {
    lift,
    message,
    at,
    start: (rule: RuleForm, isPointer: boolean) => {
      setLift({ key: rule.key, before: rules, isPointer })
      setMessage(order.lifted(rules.indexOf(rule) + 1, rules.length))
    },
    moveTo: (to: number) => {
      if (to < 0 || to >= rules.length || to === at) return
      onReorder(moved(rules, at, to))
      setMessage(order.moved(to + 1, rules.length))
    },
    drop: () => {
      setLift(null)
      setMessage(order.dropped(at + 1))
    },
    cancel: () => {
      if (lift === null) return
      onReorder(lift.before)
      setLift(null)
      setMessage(order.back(lift.before.findIndex(({ key }) => key === lift.key) + 1))
    },
  }
}

function middlesOf(list: HTMLElement): number[] {
  return [...list.children].map((card) => {
    const { top, height } = card.getBoundingClientRect()
    return top + height / 2
  })
}

/** The list with one element at another place. */
export function moved<Element>(list: readonly Element[], from: number, to: number): Element[] {
  return list.toSpliced(from, 1).toSpliced(to, 0, list[from]!)
}

/** Where something is dragged to: past each neighbor whose middle the pointer has crossed. */
export function draggedTo(middles: readonly number[], from: number, pointer: number): number {
  const before = middles.findIndex((middle, at) => at < from && pointer < middle)
  if (before >= 0) return before
  return Math.max(
    from,
    middles.findLastIndex((middle, at) => at > from && pointer > middle),
  )
}
