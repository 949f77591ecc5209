import { useEffect, useEffectEvent, useRef, useState } from 'react'

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
  const settledBefore = useRef(known)
  const tell = useEffectEvent(() => {
    if (settled === known) return
    settledBefore.current = settled
    onSettled(settled)
  })
  useEffect(() => tell(), [settled])
  useEffect(() => {
    // What was sent comes back. What was typed since then stays.
    if (known !== settledBefore.current) setText(known)
    settledBefore.current = known
  }, [known])
  return [text, setText] as const
}
