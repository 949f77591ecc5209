import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
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

/** Throws if the browser does not allow it. */
async function writeToClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  // Without HTTPS, only localhost has navigator.clipboard. execCommand works elsewhere too.
  const area = document.createElement('textarea')
  area.value = text
  ;(document.querySelector('dialog[open]') ?? document.body).append(area)
  const focused = document.activeElement
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  if (!isCopied) throw new Error('The browser did not copy.')
}

/** Copies a text that is not known yet. Some browsers allow it only if it starts within the click. */
export async function writeWhenKnown(text: Promise<string>): Promise<void> {
  if (!navigator.clipboard || typeof ClipboardItem === 'undefined') return writeToClipboard(await text)
  const blob = text.then((known) => new Blob([known], { type: 'text/plain' }))
  // A browser that refuses at once does not look at it.
  blob.catch(() => {})
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
  } catch {
    await writeToClipboard(await text)
  }
}
