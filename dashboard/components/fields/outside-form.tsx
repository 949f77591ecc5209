import type { ReactNode, SyntheticEvent } from 'react'
import { createPortal } from 'react-dom'

const stop = (event: SyntheticEvent) => event.stopPropagation()

/** For dialogs that a form in a panel opens: what is typed and sent there is not for the form. */
export const OutsideForm = ({ children }: { children: ReactNode }) =>
  createPortal(
    <div onKeyDown={stop} onSubmit={stop}>
      {children}
    </div>,
    document.body,
  )
