import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { writeToClipboard } from '../clipboard.ts'
import { words } from '../words.ts'
import { IconButton } from './button.tsx'
import { useToast } from './toasts.tsx'

const COPIED_MS = 1_600

/** True for a moment after copying; said aloud by the toast. */
export function useCopy(text: string, onCopied?: () => void): [isCopied: boolean, copy: () => void] {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copyNow = useCopyNow()
  const copy = async () => {
    if (!(await copyNow(text))) return
    setCopied(true)
    onCopied?.()
  }
  return [isCopied, () => void copy()]
}

/** Copies, and says whether the browser allowed it. */
export function useCopyNow(): (text: string) => Promise<boolean> {
  const toast = useToast()
  return async (text) => {
    try {
      await writeToClipboard(text)
    } catch {
      toast({ tone: 'bad', text: words.actions.notCopied })
      return false
    }
    toast({ text: words.actions.copied, shownMs: COPIED_MS })
    return true
  }
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

/** A line to paste into a terminal. */
export const CodeBlock = ({ text, label }: { text: string; label: string }) => (
  <div className="code-block" role="group" aria-label={label}>
    <pre>{text}</pre>
    <CopyButton text={text} label={`${words.actions.copy}: ${label}`} />
  </div>
)
