import { type Toast, useToast } from '../../components/dialogs/toasts.tsx'

type Say = (next: Toast | undefined) => void

/** For each work a toast that changes as the work goes on. Undefined takes it away. */
export function useOneToast(): () => Say {
  const toast = useToast()
  return () => {
    let shown: Say | undefined
    return (next) => {
      if (shown !== undefined) shown(next)
      else if (next !== undefined) shown = toast(next)
    }
  }
}
