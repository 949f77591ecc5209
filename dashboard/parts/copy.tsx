import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { words } from '../words.ts'
import { IconButton } from './button.tsx'
import { useToast } from './toasts.tsx'

const COPIED_MS = 1_600

/** True for a moment after copying; said aloud by the toast. */
export function useCopy(text: string, onCopied?: () => void): [isCopied: boolean, copy: () => void] {
  const [isCopied, setCopied] = useState(false)
  const toast = useToast()
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    await writeToClipboard(text)
    setCopied(true)
    onCopied?.()
    toast({ text: words.actions.copied, shownMs: COPIED_MS })
  }
  return [isCopied, () => void copy()]
}

/** Over plain http to another machine a page has no clipboard of its own; the old way still works there. */
async function writeToClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  ;(document.querySelector('dialog[open]') ?? document.body).append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}

export function CopyButton({ text, label = words.actions.copy }: { text: string; label?: string }) {
  const [isCopied, copy] = useCopy(text)
  return (
    <IconButton
      label={isCopied ? words.actions.copied : label}
      icon={isCopied ? Check : Copy}
      onClick={copy}
    />
  )
}

/** The text itself is the button. */
export function CopyText({ text, shown, label }: { text: string; shown: string; label: string }) {
  const [isCopied, copy] = useCopy(text)
  const Icon = isCopied ? Check : Copy
  return (
    <button
      type="button"
      className={`copy-text${isCopied ? ' is-copied' : ''}`}
      title={text}
      aria-label={label}
      onClick={copy}
    >
      <span className="cut">{shown}</span>
      <Icon size={14} aria-hidden />
    </button>
  )
}

/** A line to paste into a terminal. */
export const CodeBlock = ({ text, label }: { text: string; label: string }) => (
  <div className="code-block" role="group" aria-label={label}>
    <pre>{text}</pre>
    <CopyButton text={text} label={`${words.actions.copy}: ${label}`} />
  </div>
)
