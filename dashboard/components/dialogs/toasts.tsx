import { CircleAlert, X } from 'lucide-react'
import { createContext, type ReactNode, use, useCallback, useEffect, useRef, useState } from 'react'
import { isOffline, useIsOffline } from '../../api/request.ts'
import { strings } from '../../strings.ts'
import { Button, IconButton } from '../button.tsx'
import { sentenceOf } from '../states.tsx'

export type Toast = {
  text: string
  tone?: 'plain' | 'bad'
  /** How long it is shown. Default: long if it offers something, and until it is replaced if something goes on. */
  shownMs?: number
  onUndo?: () => void
  /** From 0 to 1, while it is going on. */
  progress?: number
  /** At most two. */
  actions?: { label: string; onSelect: () => void }[]
}
/** `isOfOutage`: it only says that something failed while no server answered, and offers nothing. */
type ShownToast = Toast & { id: number; isOfOutage: boolean }

/** How long undo is offered. The server accepts it for a little longer. */
const UNDO_MS = 10_000
const SHOWN_MS = 5_000
const TOASTS_MAX = 3

const offers = ({ onUndo, actions = [] }: Toast): boolean => onUndo !== undefined || actions.length > 0

const timeOf = (toast: Toast): number =>
  offers(toast) ? UNDO_MS : toast.progress === undefined ? SHOWN_MS : Number.POSITIVE_INFINITY

/** Gives what replaces the toast, or takes it away. */
type ShowToast = (toast: Toast) => (next: Toast | undefined) => void

const ToastContext = createContext<ShowToast>(() => () => {})

export const useToast = () => use(ToastContext)

/** Says what failed, where no form does. */
export function useErrorToast(): (error: unknown) => void {
  const toast = useToast()
  return (error) => toast({ tone: 'bad', text: sentenceOf(error) })
}

export function Toasts({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<ShownToast[]>([])
  const lastId = useRef(0)
  const show = useCallback((toast: Toast) => {
    const id = ++lastId.current
    const put = (next: Toast | undefined) => {
      const isOfOutage = next?.tone === 'bad' && !offers(next) && isOffline()
      setShown((before) => {
        const others = before.filter((each) => each.id !== id)
        return next === undefined ? others : [...others.slice(1 - TOASTS_MAX), { ...next, id, isOfOutage }]
      })
    }
    put(toast)
    return put
  }, [])
  const remove = useCallback(
    (id: number) => setShown((before) => before.filter((each) => each.id !== id)),
    [],
  )
  const isAway = useIsOffline()
  useEffect(() => {
    if (isAway) return
    setShown((before) => {
      const others = before.filter(({ isOfOutage }) => !isOfOutage)
      // React does not render again for the same list.
      return others.length === before.length ? before : others
    })
  }, [isAway])
  return (
    <ToastContext value={show}>
      {children}
      <ToastStack shown={shown} remove={remove} />
    </ToastContext>
  )
}

function ToastStack({ shown, remove }: { shown: ShownToast[]; remove: (id: number) => void }) {
  const element = useRef<HTMLDivElement>(null)
  // A popover is in the top layer. Showing it again puts it above a dialog that was opened later.
  useEffect(() => {
    element.current?.hidePopover()
    if (shown.length > 0) element.current?.showPopover()
  }, [shown])
  const latest = shown.findLast(({ onUndo }) => onUndo !== undefined)
  useUndoKey(
    latest &&
      (() => {
        latest.onUndo!()
        remove(latest.id)
      }),
  )
  return (
    <div ref={element} className="toasts" popover="manual" role="status">
      {shown.map((toast) => (
        <ToastLine key={toast.id} toast={toast} onGone={() => remove(toast.id)} />
      ))}
    </div>
  )
}

function ToastLine({ toast, onGone }: { toast: ShownToast; onGone: () => void }) {
  const { text, tone = 'plain', shownMs = timeOf(toast), onUndo, actions = [], progress } = toast
  const [isHeld, setHeld] = useState(false)
  const goes = useRef(onGone)
  goes.current = onGone
  useEffect(() => {
    if (isHeld || shownMs === Number.POSITIVE_INFINITY) return
    const timer = setTimeout(() => goes.current(), shownMs)
    return () => clearTimeout(timer)
  }, [shownMs, isHeld])
  const act = (onSelect: () => void) => {
    onSelect()
    onGone()
  }
  // No timeout while the pointer or the focus is on it.
  return (
    <div
      className={`toast is-${tone}`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {tone === 'bad' && <CircleAlert size={17} aria-hidden />}
      <span>{text}</span>
      {progress !== undefined && <progress value={progress} aria-hidden />}
      {onUndo && (
        <Button
          size="small"
          onClick={() => act(onUndo)}
          title={strings.actions.undoKeys}
          aria-keyshortcuts="Control+Z Meta+Z"
        >
          {strings.actions.undo}
        </Button>
      )}
      {actions.map(({ label, onSelect }) => (
        <Button key={label} size="small" onClick={() => act(onSelect)}>
          {label}
        </Button>
      ))}
      {!offers(toast) && progress === undefined && (
        <IconButton label={strings.actions.dismiss} icon={X} onClick={onGone} />
      )}
    </div>
  )
}

const WRITES = 'input, textarea, select, [contenteditable]'

/** Ctrl+Z or ⌘Z undoes, except in a field, where it undoes typing. */
function useUndoKey(undo: (() => void) | undefined): void {
  const latest = useRef(undo)
  latest.current = undo
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (latest.current === undefined || event.defaultPrevented || event.shiftKey || event.altKey) return
      if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey)) return
      if (event.target instanceof Element && event.target.closest(WRITES)) return
      event.preventDefault()
      latest.current()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
