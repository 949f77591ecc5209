import { useEffect, useEffectEvent, useState } from 'react'

/** The value after it has not changed for a moment, so that typing sends one request. */
export function useSettled<Value>(value: Value, afterMs: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs)
    return () => clearTimeout(timer)
  }, [value, afterMs])
  return settled
}

/** A text field for what the URL has: it is told once typing pauses, and may change without typing, by going back for example. */
export function useSettledText(known: string, onSettled: (text: string) => void, afterMs: number) {
  const [text, setText] = useState(known)
  const settled = useSettled(text, afterMs)
  const tell = useEffectEvent(() => {
    if (settled !== known) onSettled(settled)
  })
  useEffect(() => tell(), [settled])
  useEffect(() => setText(known), [known])
  return [text, setText] as const
}
