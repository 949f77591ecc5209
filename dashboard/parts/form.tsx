import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { FormFailure } from './states.tsx'
import { words } from '../words.ts'

type FormProps = { id?: string; error: unknown; onSubmit: () => void; children: ReactNode }

/** After a refusal the first field that it names has the focus: there it is mended. */
export function Form({ id, error, onSubmit, children }: FormProps) {
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error) element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [error])
  return (
    <form
      ref={element}
      id={id}
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <FormFailure error={error} />
      {children}
    </form>
  )
}

type FormDialogProps = Omit<FormProps, 'id'> & {
  title: string
  /** The verb on the button. */
  action: string
  look?: 'primary' | 'danger'
  isBusy: boolean
  isDisabled?: boolean
  onClose: () => void
}

/** A dialog that asks for something, and does it with Enter too. */
export function FormDialog({ title, action, look = 'primary', ...rest }: FormDialogProps) {
  const { isBusy, isDisabled = false, onClose, ...form } = rest
  const id = useId()
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{words.actions.cancel}</Button>
          <Button type="submit" form={id} look={look} disabled={isDisabled} isBusy={isBusy}>
            {action}
          </Button>
        </>
      }
    >
      <Form id={id} {...form} />
    </Dialog>
  )
}
