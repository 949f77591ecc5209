import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { writeToClipboard } from '../clipboard.ts'
import { strings } from '../strings.ts'
import { IconButton } from './button.tsx'
import { useToast } from './dialogs/toasts.tsx'

const COPIED_MS = 1_600

/** True for a moment after copying. The toast announces it to screen readers. */
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

export function useCopyNow(): (text: string) => Promise<boolean> {
  const toast = useToast()
  return async (text) => {
    try {
      await writeToClipboard(text)
    } catch {
      toast({ tone: 'bad', text: strings.actions.notCopied })
      return false
    }
    toast({ text: strings.actions.copied, shownMs: COPIED_MS })
    return true
  }
}

export function CopyButton({ text, label = strings.actions.copy }: { text: string; label?: string }) {
  const [isCopied, copy] = useCopy(text)
  return (
    <IconButton
      label={isCopied ? strings.actions.copied : label}
      icon={isCopied ? Check : Copy}
      onClick={copy}
    />
  )
}

export const CodeBlock = ({ text, label }: { text: string; label: string }) => (
  <div className="code-block" role="group" aria-label={label}>
    <pre>{text}</pre>
    <CopyButton text={text} label={`${strings.actions.copy}: ${label}`} />
  </div>
)
